// Reading what a Redfish service says of itself. Anything may be absent or null, and nothing is taken on trust.

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands there, by the names on the way; an empty object where that is nothing. */
export function objectIn(body: Json, ...names: readonly string[]): Json {
  let value: unknown = body;
  for (const name of names) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : {};
}

export function textIn(body: Json, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(body: Json, name: string): number | undefined {
  const value = body[name];
  return typeof value === 'number' ? value : undefined;
}

export function textsIn(body: Json, name: string): readonly string[] | undefined {
  const value = body[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

export function objectsIn(body: Json, name: string): readonly Json[] {
  const value = body[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Where a reference leads: `{"@odata.id": …}`. */
export function linkIn(body: Json, ...names: readonly string[]): string | undefined {
  return textIn(objectIn(body, ...names), '@odata.id');
}

export function linksIn(body: Json, name: string): readonly string[] {
  return objectsIn(body, name)
    .map((each) => textIn(each, '@odata.id'))
    .filter((link) => link !== undefined);
}
