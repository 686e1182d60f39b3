-- The logs of many fights in one database. Nothing is updated or deleted but checkpoints, seats and guests.
CREATE SCHEMA affray;
CREATE SCHEMA affray_one;
REVOKE ALL ON SCHEMA affray, affray_one FROM PUBLIC;

CREATE TABLE affray.schema (version integer PRIMARY KEY, made timestamptz NOT NULL DEFAULT now());

CREATE TABLE affray.fights (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(~[0-9]+)?$'),
    owner name NOT NULL DEFAULT current_user,
    made timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE affray.branches (
    fight bigint NOT NULL REFERENCES affray.fights,
    id bigint NOT NULL CHECK (id > 0),
    name text COLLATE "C" NOT NULL,
    parent text COLLATE "C" NOT NULL,
    at bigint NOT NULL CHECK (at >= 0),
    digest text COLLATE "C" NOT NULL CHECK (length(digest) = 64),
    PRIMARY KEY (fight, name),
    UNIQUE (fight, id)
);

-- data is json and not jsonb: that keeps the bytes as they came, and digests cover the bytes.
-- seen_by: the sides whose players may see the event, '' for everybody at the table, NULL for nobody but masters.
CREATE TABLE affray.events (
    fight bigint NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    stream text COLLATE "C" NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    type text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    round bigint NOT NULL,
    turn bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    cause bigint NOT NULL,
    data json NOT NULL,
    digest text COLLATE "C" NOT NULL CHECK (length(digest) = 64),
    salt text COLLATE "C" NOT NULL DEFAULT '' CHECK (length(salt) IN (0, 32)),
    seen_by text[],
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (fight, stream, seq),
    UNIQUE (fight, position)
);
CREATE INDEX events_everything ON affray.events (xid, fight, position);
CREATE INDEX events_promotions ON affray.events (fight, position) WHERE type = 'branch.promoted';

CREATE TABLE affray.record (
    fight bigint NOT NULL,
    number bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    position bigint NOT NULL CHECK (position >= 0),
    digest text COLLATE "C" NOT NULL CHECK (length(digest) = 64),
    PRIMARY KEY (fight, number)
);

CREATE TABLE affray.requests (
    fight bigint NOT NULL,
    request text COLLATE "C" NOT NULL,
    stream text COLLATE "C" NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (fight, request)
);

CREATE TABLE affray.notes (
    fight bigint NOT NULL, name text COLLATE "C" NOT NULL, value bytea NOT NULL, PRIMARY KEY (fight, name)
);

-- The seeds of dice that have not been revealed: for masters alone, and no part of any export.
CREATE TABLE affray.secrets (
    fight bigint NOT NULL, name text COLLATE "C" NOT NULL, value bytea NOT NULL, PRIMARY KEY (fight, name)
);

CREATE TABLE affray.checkpoints (
    fight bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    projection text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    digest text COLLATE "C" NOT NULL CHECK (length(digest) = 64),
    state bytea NOT NULL,
    PRIMARY KEY (fight, stream, projection, version, seq)
);

-- Who sits where. Roles of the database, which its administrator makes: a master of a fight reads and plays all of
-- it, the players of a side and the onlookers see what their side may see.
CREATE TABLE affray.seats (
    fight bigint NOT NULL REFERENCES affray.fights,
    role name NOT NULL,
    part text NOT NULL CHECK (part IN ('master', 'player', 'onlooker')),
    side text NOT NULL DEFAULT '' CHECK ((part = 'player') = (side <> '')),
    PRIMARY KEY (fight, role)
);

-- Whom no player sees: what names them is for masters alone, from then on.
CREATE TABLE affray.hidden (
    fight bigint NOT NULL REFERENCES affray.fights, combatant text COLLATE "C" NOT NULL, PRIMARY KEY (fight, combatant)
);

-- The guests of `affray serve`, by the links that were given out; several servers share it.
CREATE TABLE affray.guests (fight bigint PRIMARY KEY REFERENCES affray.fights, kept bytea NOT NULL);

-- Append-only ------------------------------------------------------------------------------------------------

CREATE FUNCTION affray.only_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% are append-only', TG_TABLE_NAME USING ERRCODE = 'AF001';
END $$;

CREATE FUNCTION affray.only_leave() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A fight that was begun in vain gives its name back, and stays readable under another.
    IF TG_OP = 'UPDATE' AND (NEW.id, NEW.owner, NEW.made) = (OLD.id, OLD.owner, OLD.made)
        AND NEW.name = OLD.name || '~' || OLD.id THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'fights are append-only' USING ERRCODE = 'AF001';
END $$;

CREATE TRIGGER fights_only_append BEFORE UPDATE OR DELETE ON affray.fights
    FOR EACH ROW EXECUTE FUNCTION affray.only_leave();
CREATE TRIGGER branches_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.branches
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();
CREATE TRIGGER events_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.events
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();
CREATE TRIGGER record_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.record
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();
CREATE TRIGGER requests_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.requests
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();
CREATE TRIGGER secrets_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.secrets
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();
CREATE TRIGGER notes_only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.notes
    FOR EACH STATEMENT EXECUTE FUNCTION affray.only_append();

-- Only the next event of a known branch can come: no gap, and none before its branch begins.
CREATE FUNCTION affray.events_follow() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (
            SELECT fight, stream, min(seq) AS low, max(seq) AS high, count(*) AS many FROM made GROUP BY fight, stream
        ) m
        LEFT JOIN affray.branches b ON b.fight = m.fight AND b.name = m.stream
        WHERE b.name IS NULL OR m.high - m.low + 1 <> m.many OR m.low <> 1 + coalesce(
            (SELECT e.seq FROM affray.events e WHERE e.fight = m.fight AND e.stream = m.stream AND e.seq < m.low
             ORDER BY e.seq DESC LIMIT 1), b.at)
    ) THEN
        RAISE EXCEPTION 'events follow one another without a gap' USING ERRCODE = 'AF001';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER events_follow AFTER INSERT ON affray.events REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION affray.events_follow();

CREATE FUNCTION affray.record_follows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.number <> 1 AND NOT EXISTS (
        SELECT 1 FROM affray.record r WHERE r.fight = NEW.fight AND r.number = NEW.number - 1
    ) THEN
        RAISE EXCEPTION 'the record goes on without a gap' USING ERRCODE = 'AF001';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER record_follows BEFORE INSERT ON affray.record
    FOR EACH ROW EXECUTE FUNCTION affray.record_follows();

-- One fight, as the tables of a file ---------------------------------------------------------------------------

CREATE FUNCTION affray_one.fight() RETURNS bigint LANGUAGE sql STABLE
    RETURN nullif(current_setting('affray.fight', true), '')::bigint;
CREATE VIEW affray_one.branches WITH (security_invoker = true) AS
    SELECT id, name, parent, at, digest FROM affray.branches WHERE fight = affray_one.fight();
CREATE VIEW affray_one.events WITH (security_invoker = true) AS
    SELECT position, stream, seq, type, version, round, turn, actor, cause, data::text AS data, digest, salt
    FROM affray.events WHERE fight = affray_one.fight();
CREATE VIEW affray_one.record WITH (security_invoker = true) AS
    SELECT number, kind, name, position, digest FROM affray.record WHERE fight = affray_one.fight();
CREATE VIEW affray_one.requests WITH (security_invoker = true) AS
    SELECT request, stream, first, last FROM affray.requests WHERE fight = affray_one.fight();
CREATE VIEW affray_one.secrets WITH (security_invoker = true) AS
    SELECT name, value FROM affray.notes WHERE fight = affray_one.fight();
CREATE VIEW affray_one.checkpoints WITH (security_invoker = true) AS
    SELECT stream, projection, version, seq, digest, state FROM affray.checkpoints WHERE fight = affray_one.fight();

-- Who may read what --------------------------------------------------------------------------------------------

-- The fights of which a role is a master: it made them, or has a master's seat; by a group of its own too.
CREATE FUNCTION affray.mastered(who name) RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT f.id FROM affray.fights f JOIN pg_roles r ON r.rolname = f.owner WHERE pg_has_role(who, r.oid, 'member')
    UNION
    SELECT s.fight FROM affray.seats s JOIN pg_roles r ON r.rolname = s.role
    WHERE s.part = 'master' AND pg_has_role(who, r.oid, 'member')
$$;

-- What seen_by may name for a role to see an event of a fight; NULL for a role without a seat.
CREATE FUNCTION affray.sees(who name, of bigint) RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_agg(s.side) || ARRAY['']::text[] FROM affray.seats s JOIN pg_roles r ON r.rolname = s.role
    WHERE s.fight = of AND s.part <> 'master' AND pg_has_role(who, r.oid, 'member')
    HAVING count(*) > 0
$$;

ALTER TABLE affray.fights ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.branches ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.record ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.seats ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.hidden ENABLE ROW LEVEL SECURITY;
ALTER TABLE affray.guests ENABLE ROW LEVEL SECURITY;

CREATE POLICY masters ON affray.fights USING (id IN (SELECT affray.mastered(current_user)))
    WITH CHECK (owner = current_user);
CREATE POLICY owners ON affray.fights FOR SELECT USING (owner = current_user);
CREATE POLICY seated ON affray.fights FOR SELECT USING (affray.sees(current_user, id) IS NOT NULL);
CREATE POLICY masters ON affray.branches USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.events USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY seated ON affray.events FOR SELECT
    USING (seen_by IS NOT NULL AND seen_by && affray.sees(current_user, fight));
CREATE POLICY masters ON affray.record USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.requests USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.notes USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.secrets USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.checkpoints USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.seats USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.hidden USING (fight IN (SELECT affray.mastered(current_user)));
CREATE POLICY masters ON affray.guests USING (fight IN (SELECT affray.mastered(current_user)));

-- Let a role of the database open fights of its own, and play those of which it is a master.
CREATE FUNCTION affray.host(who name) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA affray, affray_one TO %I', who);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA affray, affray_one TO %I', who);
    EXECUTE format('GRANT INSERT (name) ON affray.fights TO %I', who);
    EXECUTE format('GRANT UPDATE (name) ON affray.fights TO %I', who);
    -- Not xid, by which those who read everything go.
    EXECUTE format('GRANT INSERT (fight, position, stream, seq, type, version, round, turn, actor, cause, data, digest,'
        ' salt, seen_by) ON affray.events TO %I', who);
    EXECUTE format('GRANT INSERT ON affray.branches, affray.record, affray.requests, affray.notes, affray.secrets'
        ' TO %I', who);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON affray.checkpoints, affray.seats, affray.hidden, affray.guests'
        ' TO %I', who);
END $$;
REVOKE ALL ON FUNCTION affray.host(name) FROM PUBLIC;

-- Give a role a seat in a fight, for which it must have been let in: `host` for a master, `admit` for the others.
CREATE FUNCTION affray.admit(who name) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA affray TO %I', who);
    EXECUTE format('GRANT SELECT (id, name, made) ON affray.fights TO %I', who);
    EXECUTE format('GRANT SELECT (fight, position, stream, seq, type, version, round, turn, actor, cause, data, digest,'
        ' salt, xid) ON affray.events TO %I', who);
END $$;
REVOKE ALL ON FUNCTION affray.admit(name) FROM PUBLIC;

CREATE FUNCTION affray.seat(of text, who name, part text, side text DEFAULT '') RETURNS void LANGUAGE sql
SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO affray.seats (fight, role, part, side) SELECT id, who, part, side FROM affray.fights WHERE name = of
    ON CONFLICT (fight, role) DO UPDATE SET part = excluded.part, side = excluded.side
$$;
