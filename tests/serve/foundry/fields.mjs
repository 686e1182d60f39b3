// The fields of Foundry's documents, read out of the published types by the compiler of TypeScript:
//
//     node tests/serve/foundry/fields.mjs FOLDER > tests/serve/foundry/fields.json
//
// FOLDER holds node_modules with typescript and fvtt-types. Of each field: its class, the options that its type
// names (integer, min, choices ...), and what kinds of values are kept in it.

import { createRequire } from "node:module";
import { resolve } from "node:path";

const folder = resolve(process.argv[2] ?? ".");
const ts = createRequire(`${folder}/`)("typescript");

const DOCUMENTS = ["Combat", "Combatant", "ChatMessage", "TokenDocument", "ActiveEffect"];
const OPTIONS = new Set(["required", "nullable", "integer", "min", "max", "positive", "step", "blank", "idOnly", "readonly"]);

const name = `${folder}/fields-of-documents.ts`;
const source = DOCUMENTS.map((one) => `export declare const ${one}Schema: ${one}.Schema;\nexport declare const ${one}Source: ${one}.Source;`).join("\n");
const options = {
  strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ["fvtt-types"],
  target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler,
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (file, ...rest) => (file === name ? ts.createSourceFile(file, source, options.target) : getSourceFile(file, ...rest));
host.fileExists = (file) => file === name || fileExists(file);
host.readFile = (file) => (file === name ? source : readFile(file));
host.getCurrentDirectory = () => folder;
const program = ts.createProgram([name], options, host);
const checker = program.getTypeChecker();
const file = program.getSourceFile(name);

/** The kinds of values that a type has. */
function kinds(type) {
  const found = new Set();
  for (const one of type.isUnion() ? type.types : [type]) {
    const { flags } = one;
    if (flags & ts.TypeFlags.Undefined) continue;
    if (flags & ts.TypeFlags.Null) found.add("null");
    else if (flags & ts.TypeFlags.StringLike) found.add("string");
    else if (flags & ts.TypeFlags.NumberLike) found.add("number");
    else if (flags & ts.TypeFlags.BooleanLike) found.add("boolean");
    else if (flags & ts.TypeFlags.Intersection) found.add(one.types.some((part) => part.flags & ts.TypeFlags.NumberLike) ? "number" : one.types.some((part) => part.flags & ts.TypeFlags.StringLike) ? "string" : "object");
    else if (checker.isArrayType(one)) found.add("array");
    else if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) found.add("any");
    else found.add("object");
  }
  return [...found].sort();
}

/** The options of a field that are values, as its type has them. */
function optionsOf(type) {
  const found = {};
  for (const symbol of type ? checker.getPropertiesOfType(type) : []) {
    if (!OPTIONS.has(symbol.name)) continue;
    const value = checker.getTypeOfSymbolAtLocation(symbol, file);
    if (value.isLiteral()) found[symbol.name] = value.value;
    else if (value.flags & ts.TypeFlags.BooleanLiteral) found[symbol.name] = checker.typeToString(value) === "true";
  }
  return found;
}

function described(type, kept) {
  const of = checker.getTypeArguments(type);
  const made = { field: type.symbol?.name ?? checker.typeToString(type), kinds: kept ? kinds(kept) : ["any"] };
  if (made.field === "ArrayField" || made.field === "SetField") return { ...made, element: described(of[0], elementOf(kept)) };
  if (made.field === "SchemaField") return { ...made, fields: schema(of[0], bare(kept)) };
  const own = optionsOf(of.find((one) => checker.getPropertiesOfType(one).some((symbol) => OPTIONS.has(symbol.name)) && !one.symbol?.name?.endsWith("Field")));
  return Object.keys(own).length ? { ...made, options: own } : made;
}

/** A type without null and undefined. */
function bare(type) {
  return type && checker.getNonNullableType(type);
}

function elementOf(type) {
  return type && checker.getIndexTypeOfType(bare(type), ts.IndexKind.Number);
}

function schema(type, kept) {
  const found = {};
  for (const symbol of checker.getPropertiesOfType(type)) {
    const keptIn = kept && checker.getPropertyOfType(kept, symbol.name);
    found[symbol.name] = described(checker.getTypeOfSymbolAtLocation(symbol, file), keptIn && checker.getTypeOfSymbolAtLocation(keptIn, file));
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const types = {};
for (const statement of file.statements) {
  const [declared] = statement.declarationList.declarations;
  types[declared.name.text] = checker.getTypeAtLocation(declared.name);
}
const made = Object.fromEntries(DOCUMENTS.map((one) => [one, schema(types[`${one}Schema`], types[`${one}Source`])]));
process.stdout.write(`${JSON.stringify(made, null, 1)}\n`);
