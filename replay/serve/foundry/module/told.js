// What the server tells: states, events of the feed, and the few facts that are read here.
/** The number of the event of a position. */
export function seqOf(position) {
    return Number(position.slice(position.lastIndexOf(":") + 1));
}
/** The main line and how often it has been changed: what stands before the last colon of a position. */
export function lineOf(position) {
    return position.slice(0, position.lastIndexOf(":"));
}
