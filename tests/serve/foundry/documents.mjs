// A stand-in for Foundry: it holds documents, and takes an update only where the published types have such a field.

import { readFileSync } from "node:fs";

const SCHEMAS = JSON.parse(readFileSync(new URL("fields.json", import.meta.url), "utf8"));
const DOCUMENT_ID = /^[a-zA-Z0-9]{16}$/;

/** What was made, changed and deleted, by the name of the document. */
export const counts = { create: {}, update: {}, delete: {}, status: 0 };

function count(what, name) {
  counts[what][name] = (counts[what][name] ?? 0) + 1;
}

export const hooks = new Map();

export const Hooks = {
  on: (name, action) => void hooks.set(name, [...(hooks.get(name) ?? []), action]),
  once: (name, action) => Hooks.on(name, action),
  call: (name, ...given) => (hooks.get(name) ?? []).every((action) => action(...given) !== false),
};

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Throw where a value is none of a field. */
export function validate(field, value, where) {
  const no = (why) => {
    throw new Error(`${where}: ${why}: ${JSON.stringify(value)}`);
  };
  const kind = kindOf(value);
  if (!field.kinds.includes(kind) && !field.kinds.includes("any")) no(`is ${kind}, not ${field.kinds.join(" or ")}`);
  const { options = {}, element, fields } = field;
  if (kind === "number") {
    if (!Number.isFinite(value)) no("is no number that can be kept");
    if (options.integer && !Number.isInteger(value)) no("is no integer");
    if (options.positive && value <= 0) no("is not above 0");
    if (options.min !== undefined && value < options.min) no(`is below ${options.min}`);
    if (options.max !== undefined && value > options.max) no(`is above ${options.max}`);
    if (options.step !== undefined && value % options.step !== 0) no(`is no multiple of ${options.step}`);
  }
  if (kind === "string") {
    if (options.blank === false && value === "") no("is empty");
    if (/^(DocumentId|Foreign)/.test(field.field) && !DOCUMENT_ID.test(value)) no("is no id");
    if (field.field === "JSONField") validateRoll(JSON.parse(value), where);
  }
  if (kind === "array" && element) value.forEach((one, place) => validate(element, one, `${where}[${place}]`));
  if (kind === "object" && fields) for (const [name, one] of Object.entries(value)) validateNamed(fields, name, one, where);
}

function validateNamed(fields, name, value, where) {
  const field = Object.hasOwn(fields, name) ? fields[name] : null;
  if (!field) throw new Error(`${where}: there is no field ${name}`);
  validate(field, value, `${where}.${name}`);
}

/** Throw where a roll is not finished, or its terms do not add up to its total. */
export function validateRoll(roll, where) {
  const no = (why) => {
    throw new Error(`${where}: ${why}: ${JSON.stringify(roll)}`);
  };
  if (roll.class !== "Roll" || roll.evaluated !== true) no("is no finished roll");
  let sum = 0, sign = 1, operand = false;
  const words = [];
  for (const term of roll.terms) {
    if (term.evaluated !== true) no("has an open term");
    const flavor = term.options.flavor ? `[${term.options.flavor}]` : "";
    if (term.class === "OperatorTerm") {
      if (!operand) no("has an operator without a number before it");
      sign = { "+": 1, "-": -1 }[term.operator] ?? no("has another operator");
      operand = false;
      words.push(term.operator);
      continue;
    }
    if (operand) no("has two numbers without an operator between them");
    operand = true;
    let value;
    if (term.class === "NumericTerm") {
      value = term.number;
      words.push(`${value}${flavor}`);
    } else if (term.class === "Die") {
      const thrown = term.results.filter((one) => !one.rerolled).length;
      if (thrown < term.number) no("has fewer dice than it says");
      if (term.results.some((one) => !(one.result >= 1 && one.result <= term.faces))) no("shows what its dice cannot");
      value = term.results.reduce((before, one) => before + (one.active ? one.result : 0), 0);
      words.push(`${term.number}d${term.faces}${term.modifiers.join("")}${flavor}`);
    } else no("has a term of another class");
    sum += sign * value;
  }
  if (!operand) no("ends in an operator");
  if (sum !== roll.total) no(`adds up to ${sum}`);
  if (words.join(" ") !== roll.formula) no(`has the formula ${words.join(" ")}`);
}

function merged(before, changes) {
  const made = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    made[name] = kindOf(value) === "object" && kindOf(before?.[name]) === "object" ? merged(before[name], value) : structuredClone(value);
  }
  return made;
}

/** Changes with the parts of dotted names put into one another. */
function expanded(changes) {
  const made = {};
  for (const [name, value] of Object.entries(changes)) {
    const parts = name.split(".");
    let into = made;
    for (const part of parts.slice(0, -1)) into = into[part] ??= {};
    into[parts.at(-1)] = value;
  }
  return made;
}

export class Collection extends Map {
  get contents() {
    return [...this.values()];
  }

  find(test) {
    return this.contents.find(test);
  }

  filter(test) {
    return this.contents.filter(test);
  }

  *[Symbol.iterator]() {
    yield* this.values();
  }
}

let made = 0;

export function randomId() {
  return `made${String(++made).padStart(12, "0")}`;
}

/** A document: its data as it is kept, whose fields can be read from it. */
export class Document {
  static documentName = "";
  static defaults = {};
  static collection = null;

  constructor(data, parent = null) {
    this._source = merged(structuredClone(this.constructor.defaults), data);
    this.parent = parent;
    for (const name of Object.keys(this.constructor.schema ?? this._source)) {
      if (name in this || this.constructor.schema?.[name].field === "EmbeddedCollectionField") continue;
      Object.defineProperty(this, name, { get: () => this._source[name], enumerable: true, configurable: true });
    }
  }

  static get schema() {
    return SCHEMAS[this.schemaName ?? this.documentName];
  }

  static validate(data, where) {
    if (this.schema) for (const [name, value] of Object.entries(data)) validateNamed(this.schema, name, value, where);
  }

  static make(data, options, into, parent) {
    const _id = options.keepId && data._id ? data._id : randomId();
    if (into.has(_id)) throw new Error(`${this.documentName} ${_id} exists already`);
    this.validate({ ...data, _id }, `new ${this.documentName}`);
    const one = new this({ ...data, _id }, parent);
    if (!Hooks.call(`preCreate${this.documentName}`, one, data, options, "user")) return null;
    into.set(_id, one);
    count("create", this.documentName);
    Hooks.call(`create${this.documentName}`, one, options, "user");
    return one;
  }

  static async create(data, options = {}) {
    return this.make(data, options, this.collection(), null);
  }

  static async createDocuments(all, options = {}) {
    return all.map((data) => this.make(data, options, this.collection(), null));
  }

  static async updateDocuments(all, options = {}) {
    return Promise.all(all.map(({ _id, ...changes }) => this.collection().get(_id).update(changes, options)));
  }

  get id() {
    return this._source._id;
  }

  get flags() {
    return this._source.flags ?? {};
  }

  async update(given, options = {}) {
    const name = this.constructor.documentName;
    const changes = expanded(given);
    this.constructor.validate(changes, `${name} ${this.id}`);
    if (!Hooks.call(`preUpdate${name}`, this, changes, options, "user")) return undefined;
    this._source = merged(this._source, changes);
    count("update", name);
    Hooks.call(`update${name}`, this, changes, options, "user");
    return this;
  }

  embedded(name) {
    throw new Error(`${this.constructor.documentName} holds no ${name}`);
  }

  async createEmbeddedDocuments(name, all, options = {}) {
    const [into, kind] = this.embedded(name);
    return all.map((data) => kind.make(data, options, into, this));
  }

  async updateEmbeddedDocuments(name, all, options = {}) {
    const [into] = this.embedded(name);
    for (const { _id, ...changes } of all) {
      if (!into.has(_id)) throw new Error(`there is no ${name} ${_id}`);
      await into.get(_id).update(changes, options);
    }
  }

  async deleteEmbeddedDocuments(name, ids) {
    const [into] = this.embedded(name);
    for (const id of ids) {
      if (!into.delete(id)) throw new Error(`there is no ${name} ${id}`);
      count("delete", name);
    }
  }
}
