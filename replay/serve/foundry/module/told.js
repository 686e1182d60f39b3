// The server's data: states, events of the feed, and the few facts that are read here.
/** The event number of a position. */
export function seqOf(position) {
    return Number(position.slice(position.lastIndexOf(":") + 1));
}
/** The main line and its change count: the part before the last colon of a position. */
export function lineOf(position) {
    return position.slice(0, position.lastIndexOf(":"));
}
