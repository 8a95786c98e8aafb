/** Fields of the documents of an index by name: how often one occurrence of a term in them counts, more than 0. */
export type FieldBoosts = Readonly<Record<string, number>>;

/** One field of an index; its number is its place. */
export interface Field {
  readonly name: string;
  readonly boost: number;
}

/** The terms of a document in the order of its text: of the last field, or by name of the field. */
export type DocumentTerms = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** The field of an index that was made without fields. */
const onlyField = 'body';
const mostFields = 64;

/** @throws RangeError for no fields, more than 64, or a boost that is not finite and more than 0 */
export function createFields(boosts: FieldBoosts = { [onlyField]: 1 }): Field[] {
  const fields = Object.entries(boosts).map(([name, boost]) => ({ name, boost }));
  checkFields(fields);
  return fields;
}

export function checkFields(fields: readonly Field[]): void {
  if (fields.length === 0 || fields.length > mostFields)
    throw new RangeError(`An index has 1 to ${mostFields} fields, got ${fields.length}.`);
  for (const { name, boost } of fields)
    if (!Number.isFinite(boost) || boost <= 0)
      throw new RangeError(`The boost of the field "${name}" must be more than 0 and finite, got ${boost}.`);
}

/** The terms of each field, in the order of the fields. A list is the terms of the last one. RangeError for others. */
export function termsByField(fields: readonly Field[], terms: DocumentTerms): (readonly string[])[] {
  if (isList(terms)) return fields.map((_, at) => (at === fields.length - 1 ? terms : []));
  const unknown = Object.keys(terms).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) {
    const known = fields.map(({ name }) => name).join(', ');
    throw new RangeError(`The index has no field "${unknown}"; it has: ${known}.`);
  }
  return fields.map(({ name }) => (Object.hasOwn(terms, name) ? terms[name]! : []));
}

function isList(terms: DocumentTerms): terms is readonly string[] {
  return Array.isArray(terms);
}
