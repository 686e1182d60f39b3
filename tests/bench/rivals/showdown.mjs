// Drive @pkmn/sim: random battles (generation 7, six against six) with the first legal choice each turn.
// Prints one JSON object: turns/s, battles/s and a checksum over every line of the logs.
// No map, no modifiers with reasons: a turn is two moves with their damage and effects.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
const require = createRequire(`${process.cwd()}/`);
const {Battle, Teams} = require('@pkmn/sim');
const {TeamGenerators} = require('@pkmn/randoms');

Teams.setGeneratorFactory(TeamGenerators);
const battles = Number(process.argv[2] ?? 20);

function play(number) {
  const seed = [number, 2, 3, 4];
  const battle = new Battle({formatid: 'gen7customgame', seed});
  battle.setPlayer('p1', {name: 'one', team: Teams.generate('gen7randombattle', {seed})});
  battle.setPlayer('p2', {name: 'two', team: Teams.generate('gen7randombattle', {seed: [number, 9, 9, 9]})});
  while (!battle.ended && battle.turn < 300) {
    for (const side of battle.sides) if (!side.isChoiceDone()) side.autoChoose();
    battle.commitDecisions ? battle.commitDecisions() : battle.commitChoices();
  }
  return battle;
}

for (let number = 1; number <= 3; number++) play(1000 + number);
const log = [];
let turns = 0;
const began = process.hrtime.bigint();
for (let number = 1; number <= battles; number++) {
  const battle = play(number);
  turns += battle.turn;
  log.push(...battle.log);
}
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const stable = log.filter(line => !line.startsWith('|t:|'));
console.log(JSON.stringify({
  version: JSON.parse(readFileSync('node_modules/@pkmn/sim/package.json')).version,
  battles,
  turns,
  'turns/s': Math.round(turns / seconds),
  'battles/s': Math.round(battles / seconds * 10) / 10,
  checksum: createHash('sha256').update(stable.join('\n')).digest('hex'),
}));
