-- Only the owner reads a table. Row-level security keeps rows back, but not what a plan, an estimate or an error tells
-- of them: PostgreSQL compares by leakproof operators before it asks a policy. So every other role reads by functions
-- of the owner, in plpgsql, which no planner looks into. They choose rows by fight, line and position alone, never by
-- what an event says, and give away finished rows; messages of the statements inside reach no client.
DO $$ BEGIN
    -- What is made here belongs to the owner of the tables, whoever opens the first fight.
    EXECUTE format('SET LOCAL ROLE %I',
        (SELECT pg_get_userbyid(nspowner) FROM pg_catalog.pg_namespace WHERE nspname = 'affray'));
END $$;

DROP VIEW affray_one.branches, affray_one.events, affray_one.record, affray_one.requests, affray_one.secrets,
    affray_one.checkpoints;
DROP FUNCTION affray_one.fight();
DROP POLICY masters ON affray.fights;
DROP POLICY owners ON affray.fights;
DROP POLICY seated ON affray.fights;
DROP POLICY masters ON affray.branches;
DROP POLICY masters ON affray.events;
DROP POLICY seated ON affray.events;
DROP POLICY masters ON affray.record;
DROP POLICY masters ON affray.requests;
DROP POLICY masters ON affray.notes;
DROP POLICY masters ON affray.secrets;
DROP POLICY masters ON affray.checkpoints;
DROP POLICY masters ON affray.seats;
DROP POLICY masters ON affray.hidden;
DROP POLICY masters ON affray.guests;
DROP FUNCTION affray.mastered(name), affray.sees(name, bigint), affray.seat(text, name, text, text);

CREATE INDEX fights_owner ON affray.fights (owner);
CREATE INDEX seats_role ON affray.seats (role);

-- One row a fight: how many rows a table has is known to every role of the database.
ALTER TABLE affray.hidden RENAME TO hidden_before;
ALTER TABLE affray.hidden_before RENAME CONSTRAINT hidden_pkey TO hidden_before_pkey;
CREATE TABLE affray.hidden (
    fight bigint PRIMARY KEY REFERENCES affray.fights, combatants text[] COLLATE "C" NOT NULL DEFAULT '{}'
);
INSERT INTO affray.hidden SELECT fight, array_agg(combatant ORDER BY combatant) FROM affray.hidden_before GROUP BY fight;
DROP TABLE affray.hidden_before;
ALTER TABLE affray.hidden ENABLE ROW LEVEL SECURITY;

-- Who asks ---------------------------------------------------------------------------------------------------

-- The role of the session, which a function of the owner cannot learn from current_user.
CREATE FUNCTION affray.caller() RETURNS name LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END
$$;

CREATE FUNCTION affray.roles_of_caller() RETURNS name[] LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_agg(rolname) FROM pg_roles WHERE pg_has_role(affray.caller(), oid, 'member')
$$;

-- The fights in which the caller has a place, and what seen_by may name for it to see an event: NULL is a master.
CREATE FUNCTION affray.places() RETURNS TABLE (fight bigint, name text, made timestamptz, sides text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
DECLARE mine name[];
BEGIN
    IF pg_has_role(affray.caller(), current_user, 'usage') THEN
        RETURN QUERY SELECT f.id, f.name, f.made, NULL::text[] FROM affray.fights f;
        RETURN;
    END IF;
    mine := affray.roles_of_caller();
    RETURN QUERY SELECT f.id, f.name, f.made, p.sides FROM (
        SELECT held.fight, CASE WHEN NOT bool_or(held.master) THEN array_agg(held.side) || ARRAY[''] END AS sides FROM (
            SELECT o.id AS fight, true AS master, '' AS side FROM affray.fights o WHERE o.owner = ANY (mine)
            UNION ALL
            SELECT s.fight, s.part = 'master', s.side FROM affray.seats s WHERE s.role = ANY (mine)
        ) held GROUP BY held.fight
    ) p JOIN affray.fights f ON f.id = p.fight;
END $$;

CREATE FUNCTION affray.is_master(of bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE mine name[];
BEGIN
    IF pg_has_role(affray.caller(), current_user, 'usage') THEN
        RETURN EXISTS (SELECT FROM affray.fights f WHERE f.id = of);
    END IF;
    mine := affray.roles_of_caller();
    RETURN EXISTS (SELECT FROM affray.fights f WHERE f.id = of AND f.owner = ANY (mine))
        -- All seats of the caller, and then the fight: what is read does not depend on the seats of others.
        OR of = ANY (ARRAY(SELECT s.fight FROM affray.seats s WHERE s.role = ANY (mine) AND s.part = 'master'));
END $$;

-- The fight that the session has set. Only its masters come further.
CREATE FUNCTION affray_one.fight() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE of bigint := nullif(current_setting('affray.fight', true), '');
BEGIN
    IF affray.is_master(of) THEN
        RETURN of;
    END IF;
    RAISE EXCEPTION 'this role is no master of the fight' USING ERRCODE = 'insufficient_privilege';
END $$;

-- What players and readers of everything ask ---------------------------------------------------------------------

CREATE FUNCTION affray.my_fights() RETURNS TABLE (id bigint, name text, made timestamptz, master boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT p.fight, p.name, p.made, p.sides IS NULL FROM affray.places() p ORDER BY p.fight;
END $$;

-- The same with how many events the caller may see, and on how many branches.
CREATE FUNCTION affray.my_counts() RETURNS TABLE (id bigint, events bigint, branches bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
DECLARE place record;
BEGIN
    FOR place IN SELECT p.fight, p.sides FROM affray.places() p ORDER BY p.fight LOOP
        IF place.sides IS NULL THEN
            RETURN QUERY SELECT place.fight, (SELECT count(*) FROM affray.events e WHERE e.fight = place.fight),
                (SELECT count(*) FROM affray.branches b WHERE b.fight = place.fight);
        ELSE
            RETURN QUERY SELECT place.fight, count(*), count(DISTINCT e.stream) FROM affray.events e
                WHERE e.fight = place.fight AND e.seen_by && place.sides;
        END IF;
    END LOOP;
END $$;

-- The events of a fight that the caller may see, in the order in which they were recorded.
CREATE FUNCTION affray.events_of(of text, after bigint DEFAULT 0) RETURNS TABLE (
    "position" bigint, stream text, seq bigint, type text, version bigint, round bigint, turn bigint, actor text,
    cause bigint, data json, digest text, salt text
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
DECLARE place record;
BEGIN
    FOR place IN SELECT p.fight, p.sides FROM affray.places() p WHERE p.name = of LOOP
        RETURN QUERY SELECT e.position, e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data,
            e.digest, e.salt
            FROM affray.events e
            WHERE e.fight = place.fight AND e.position > after AND (place.sides IS NULL OR e.seen_by && place.sides)
            ORDER BY e.position;
    END LOOP;
END $$;

-- The next events of all fights that the caller may see, as far as the transactions that wrote them are over.
CREATE FUNCTION affray.events_after(after_xid xid8, after_fight bigint, after_position bigint, at_most bigint)
RETURNS TABLE (
    seq bigint, type text, version bigint, round bigint, turn bigint, actor text, cause bigint, data text, digest text,
    salt text, stream text, xid xid8, fight bigint, "position" bigint, name text
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data::text, e.digest, e.salt,
        e.stream, e.xid, e.fight, e.position, p.name
        FROM affray.events e JOIN affray.places() p ON p.fight = e.fight
        WHERE (e.xid, e.fight, e.position) > (after_xid, after_fight, after_position)
        AND e.xid < pg_snapshot_xmin(pg_current_snapshot()) AND (p.sides IS NULL OR e.seen_by && p.sides)
        ORDER BY e.xid, e.fight, e.position LIMIT at_most;
END $$;

-- What masters ask of the fight at hand ----------------------------------------------------------------------

CREATE FUNCTION affray.masters_read(asked text, gives text, query text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE FUNCTION affray_one.%s RETURNS TABLE (%s) LANGUAGE plpgsql STABLE SECURITY DEFINER'
        ' SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS %L', asked, gives, format(
        E'#variable_conflict use_column\nDECLARE here bigint := affray_one.fight();\nBEGIN\n    RETURN QUERY %s;\nEND', query));
END $$;

SELECT affray.masters_read('all_branches()', 'id bigint, name text, parent text, at bigint, digest text',
    'SELECT id, name, parent, at, digest FROM affray.branches WHERE fight = here');
SELECT affray.masters_read('branch(named text)', 'name text, parent text, at bigint, digest text',
    'SELECT name, parent, at, digest FROM affray.branches WHERE fight = here AND name = named');
SELECT affray.masters_read('all_events()', '"position" bigint, stream text, seq bigint, type text, version bigint,'
    ' round bigint, turn bigint, actor text, cause bigint, data text, digest text, salt text',
    'SELECT position, stream, seq, type, version, round, turn, actor, cause, data::text, digest, salt
    FROM affray.events WHERE fight = here');
SELECT affray.masters_read('all_places()', '"position" bigint, stream text, seq bigint, type text, digest text',
    'SELECT position, stream, seq, type, digest FROM affray.events WHERE fight = here');
SELECT affray.masters_read('events_of_line(line text, after bigint, upto bigint, at_most bigint)', 'seq bigint,'
    ' type text, version bigint, round bigint, turn bigint, actor text, cause bigint, data text, digest text, salt text',
    'SELECT seq, type, version, round, turn, actor, cause, data::text, digest, salt FROM affray.events
    WHERE fight = here AND stream = line AND seq > after AND seq <= upto ORDER BY seq LIMIT at_most');
SELECT affray.masters_read('events_in_order(after bigint, upto bigint, at_most bigint)', 'seq bigint, type text,'
    ' version bigint, round bigint, turn bigint, actor text, cause bigint, data text, digest text, salt text,'
    ' stream text, "position" bigint',
    'SELECT seq, type, version, round, turn, actor, cause, data::text, digest, salt, stream, position
    FROM affray.events WHERE fight = here AND position > after AND position <= upto ORDER BY position LIMIT at_most');
SELECT affray.masters_read('digests_in_order(after bigint, upto bigint, at_most bigint)',
    '"position" bigint, stream text, seq bigint, digest text', 'SELECT position, stream, seq, digest
    FROM affray.events WHERE fight = here AND position > after AND position <= upto ORDER BY position LIMIT at_most');
SELECT affray.masters_read('last_position()', '"position" bigint',
    'SELECT coalesce(max(position), 0) FROM affray.events WHERE fight = here');
SELECT affray.masters_read('head(line text)', 'seq bigint, digest text', 'SELECT seq, digest FROM affray.events
    WHERE fight = here AND stream = line ORDER BY seq DESC LIMIT 1');
SELECT affray.masters_read('digest_at(line text, place bigint)', 'digest text',
    'SELECT digest FROM affray.events WHERE fight = here AND stream = line AND seq = place');
SELECT affray.masters_read('promotions()', '"position" bigint, stream text', 'SELECT position, stream
    FROM affray.events WHERE fight = here AND type = ''branch.promoted'' ORDER BY position');
SELECT affray.masters_read('all_record()', 'number bigint, kind text, name text, "position" bigint, digest text',
    'SELECT number, kind, name, position, digest FROM affray.record WHERE fight = here');
SELECT affray.masters_read('last_record()', 'number bigint, "position" bigint, digest text', 'SELECT number, position,
    digest FROM affray.record WHERE fight = here ORDER BY number DESC LIMIT 1');
SELECT affray.masters_read('all_requests()', 'request text, stream text, first bigint, last bigint',
    'SELECT request, stream, first, last FROM affray.requests WHERE fight = here');
SELECT affray.masters_read('request(asked text)', 'stream text, before bigint, last bigint',
    'SELECT stream, first - 1, last FROM affray.requests WHERE fight = here AND request = asked');
SELECT affray.masters_read('notes()', 'name text, value bytea',
    'SELECT name, value FROM affray.notes WHERE fight = here');
SELECT affray.masters_read('secret(named text)', 'value bytea',
    'SELECT value FROM affray.secrets WHERE fight = here AND name = named');
SELECT affray.masters_read('checkpoint_upto(line text, of text, of_version bigint, after bigint, upto bigint)',
    'stream text, projection text, version bigint, seq bigint, digest text, state bytea',
    'SELECT stream, projection, version, seq, digest, state FROM affray.checkpoints WHERE fight = here
    AND stream = line AND projection = of AND version = of_version AND seq > after AND seq <= upto
    ORDER BY seq DESC LIMIT 1');
SELECT affray.masters_read('checkpoint_after(line text, of text, of_version bigint, after bigint)',
    'stream text, projection text, version bigint, seq bigint, digest text, state bytea',
    'SELECT stream, projection, version, seq, digest, state FROM affray.checkpoints WHERE fight = here
    AND stream = line AND projection = of AND version = of_version AND seq > after ORDER BY seq LIMIT 1');
SELECT affray.masters_read('guests()', 'kept bytea', 'SELECT kept FROM affray.guests WHERE fight = here');
SELECT affray.masters_read('hidden()', 'combatant text',
    'SELECT unnest(combatants) FROM affray.hidden WHERE fight = here ORDER BY 1');
-- Where a writer stands: the head of a line, the end of the record, and what a request is recorded for.
SELECT affray.masters_read('stand(line text, asked text)', 'seq bigint, digest text, number bigint,'
    ' "position" bigint, recorded text, stream text, before bigint, last bigint',
    'SELECT h.seq, h.digest, r.number, r.position, r.digest, q.stream, q.first - 1, q.last FROM (SELECT 1) one
    LEFT JOIN LATERAL (SELECT seq, digest FROM affray.events WHERE fight = here AND stream = line
        ORDER BY seq DESC LIMIT 1) h ON true
    LEFT JOIN LATERAL (SELECT number, position, digest FROM affray.record WHERE fight = here
        ORDER BY number DESC LIMIT 1) r ON true
    LEFT JOIN affray.requests q ON q.fight = here AND q.request = asked');
DROP FUNCTION affray.masters_read(text, text, text);

-- One fight, as the tables of a file.
CREATE VIEW affray_one.branches AS SELECT id, name COLLATE "C" AS name, parent COLLATE "C" AS parent, at, digest
    FROM affray_one.all_branches();
CREATE VIEW affray_one.events AS SELECT position, stream COLLATE "C" AS stream, seq, type, version, round, turn, actor,
    cause, data, digest, salt FROM affray_one.all_events();
CREATE VIEW affray_one.outline AS SELECT position, stream COLLATE "C" AS stream, seq, type, digest
    FROM affray_one.all_places();
CREATE VIEW affray_one.record AS SELECT number, kind, name, position, digest FROM affray_one.all_record();
CREATE VIEW affray_one.requests AS SELECT request COLLATE "C" AS request, stream COLLATE "C" AS stream, first, last
    FROM affray_one.all_requests();
CREATE VIEW affray_one.secrets AS SELECT name COLLATE "C" AS name, value FROM affray_one.notes();

-- What masters change ----------------------------------------------------------------------------------------

CREATE POLICY masters ON affray.branches FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));
CREATE POLICY masters ON affray.events FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));
CREATE POLICY masters ON affray.record FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));
CREATE POLICY masters ON affray.requests FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));
CREATE POLICY masters ON affray.notes FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));
CREATE POLICY masters ON affray.secrets FOR INSERT WITH CHECK (fight = (SELECT affray_one.fight()));

-- Open a fight of the caller's own, with its root, whose digest is that of no event.
CREATE FUNCTION affray.open_fight(named text, root text, genesis text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE made bigint;
BEGIN
    INSERT INTO affray.fights (name, owner) VALUES (named, affray.caller()) RETURNING id INTO made;
    INSERT INTO affray.branches (fight, id, name, parent, at, digest) VALUES (made, 1, root, '', 0, genesis);
    RETURN made;
END $$;

-- Let the name of the fight at hand be used again; one that is not used keeps it if something is recorded by now.
CREATE FUNCTION affray_one.give_back(used boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE here bigint := affray_one.fight();
BEGIN
    UPDATE affray.fights SET name = name || '~' || id WHERE id = here
        AND (used OR NOT EXISTS (SELECT FROM affray.events e WHERE e.fight = here));
END $$;

CREATE FUNCTION affray_one.save_checkpoint(
    line text, of text, of_version bigint, place bigint, bound text, kept bytea
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
BEGIN
    INSERT INTO affray.checkpoints (fight, stream, projection, version, seq, digest, state)
        VALUES (affray_one.fight(), line, of, of_version, place, bound, kept)
        ON CONFLICT (fight, stream, projection, version, seq)
        DO UPDATE SET digest = excluded.digest, state = excluded.state;
END $$;

CREATE FUNCTION affray_one.drop_checkpoint(line text, of text, of_version bigint, place bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE here bigint := affray_one.fight();
BEGIN
    DELETE FROM affray.checkpoints
        WHERE fight = here AND stream = line AND projection = of AND version = of_version AND seq = place;
END $$;

-- Put another list of guests in place of `before`, with whom it hides; false where `before` does not stand there.
CREATE FUNCTION affray_one.put_guests(before bytea, now bytea, hides text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
DECLARE here bigint := affray_one.fight();
BEGIN
    IF before IS NULL THEN
        INSERT INTO affray.guests (fight, kept) VALUES (here, now) ON CONFLICT DO NOTHING;
    ELSE
        UPDATE affray.guests SET kept = now WHERE fight = here AND kept = before;
    END IF;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO affray.hidden (fight, combatants) VALUES (here, hides)
        ON CONFLICT (fight) DO UPDATE SET combatants = excluded.combatants;
    RETURN true;
END $$;

-- Give a role a seat in a fight, for which it must have been let in: `host` for a master, `admit` for the others.
CREATE FUNCTION affray.seat(of text, who name, part text, side text DEFAULT '') RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $$
#variable_conflict use_column
DECLARE here bigint := (SELECT p.fight FROM affray.places() p WHERE p.name = of AND p.sides IS NULL);
BEGIN
    IF here IS NULL THEN
        RAISE EXCEPTION 'this role is no master of a fight of that name' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO affray.seats (fight, role, part, side) VALUES (here, who, seat.part, seat.side)
        ON CONFLICT (fight, role) DO UPDATE SET part = excluded.part, side = excluded.side;
END $$;

-- Who may call what --------------------------------------------------------------------------------------------

-- Let a role of the database have a player's or onlooker's seat.
CREATE OR REPLACE FUNCTION affray.admit(who name) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA affray TO %I', who);
    EXECUTE format('GRANT SELECT ON affray.schema TO %I', who);
    EXECUTE format('GRANT EXECUTE ON FUNCTION affray.my_fights(), affray.my_counts(), affray.events_of(text, bigint),'
        ' affray.events_after(xid8, bigint, bigint, bigint) TO %I', who);
END $$;

-- Let a role of the database open fights of its own, and play those of which it is a master.
CREATE OR REPLACE FUNCTION affray.host(who name) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM affray.admit(who);
    EXECUTE format('GRANT USAGE ON SCHEMA affray_one TO %I', who);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA affray_one TO %I', who);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA affray_one TO %I', who);
    EXECUTE format('GRANT EXECUTE ON FUNCTION affray.open_fight(text, text, text), affray.seat(text, name, text, text)'
        ' TO %I', who);
    -- Not xid, by which those who read everything go.
    EXECUTE format('GRANT INSERT (fight, position, stream, seq, type, version, round, turn, actor, cause, data, digest,'
        ' salt, seen_by) ON affray.events TO %I', who);
    EXECUTE format('GRANT INSERT ON affray.branches, affray.record, affray.requests, affray.notes, affray.secrets'
        ' TO %I', who);
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA affray, affray_one FROM PUBLIC;

-- Whoever had a right to a table loses it, and is let in as a host or a player again.
DO $$
DECLARE held record;
BEGIN
    REVOKE ALL ON ALL TABLES IN SCHEMA affray, affray_one FROM PUBLIC;
    FOR held IN
        SELECT r.rolname, bool_or(a.relname = 'branches' AND a.privilege_type = 'INSERT') AS hosts FROM (
            SELECT c.relname, c.relowner, x.grantee, x.privilege_type
            FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) x
            WHERE c.relnamespace = 'affray'::regnamespace
            UNION ALL
            SELECT c.relname, c.relowner, x.grantee, x.privilege_type
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid
            CROSS JOIN LATERAL aclexplode(t.attacl) x WHERE c.relnamespace = 'affray'::regnamespace
        ) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee WHERE a.grantee <> a.relowner GROUP BY r.rolname
    LOOP
        EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA affray, affray_one FROM %I CASCADE', held.rolname);
        IF held.hosts THEN
            PERFORM affray.host(held.rolname);
        ELSE
            PERFORM affray.admit(held.rolname);
        END IF;
    END LOOP;
END $$;
RESET ROLE;
