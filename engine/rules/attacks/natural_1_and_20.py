"""What a natural 1 and a natural 20 do to an attack roll, whatever it is compared with."""

from affray.engine.fight.fight import Fight


def hits(fight: Fight, natural: int, total: int, needed: int) -> bool:
    """Say whether an attack roll reaches `needed`: a 1 never does, a 20 always.

    srd35.attack.natural-1, srd35.attack.natural-20.
    """
    if natural == fight.figure("attack.natural-1", "face"):
        return False
    return total >= needed or bool(natural == fight.figure("attack.natural-20", "face"))
