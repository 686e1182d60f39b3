// The game master's own moves: dragging a token declares a move; its result moves the token.

import type { Follower } from "./follower.js";
import { Denied, Lost } from "./server.js";
import type { Done, Legal } from "./told.js";

type Square = [number, number];

/** The square of a token's upper left corner at a position of the scene. */
export function squareAt(x: number, y: number, size: number, origin: Square): Square {
  return [Math.round(x / size) - origin[0], Math.round(y / size) - origin[1]];
}

/** The squares from one to another, straight and then diagonal, without the first. */
export function straight(from: Square, to: Square): Square[] {
  const path: Square[] = [];
  let [x, y] = from;
  while (x !== to[0] || y !== to[1]) {
    x += Math.sign(to[0] - x);
    y += Math.sign(to[1] - y);
    path.push([x, y]);
  }
  return path;
}

function request(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Declare that a combatant moves to a square, on the path that the rules find; on a straight path if they
 * find none, so that they give a reason. Returns the reason if it failed, else "".
 */
export async function declareMove(follower: Follower, actor: string, from: Square, to: Square): Promise<string> {
  const expected = follower.position;
  try {
    const { ways } = await follower.server.ask<Legal>(`/legal/${encodeURIComponent(actor)}`);
    const path = ways.find((way) => way.to[0] === to[0] && way.to[1] === to[1])?.path ?? straight(from, to);
    const command = { act: { act: "move", actor, path }, expected, request: request() };
    // One id makes it happen once, even if it is sent several times.
    const { refused, question } = await follower.server.askOn<Done>("/declarations", command);
    if (refused) return refused.rule ? `${refused.reason} (${refused.rule})` : refused.reason;
    return question ? `the fight waits: ${question.name}: ${question.question}` : "";
  } catch (error) {
    if (error instanceof Denied || error instanceof Lost) return error.message;
    throw error;
  }
}
