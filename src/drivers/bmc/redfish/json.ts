// Reads values from Redfish resources, in which anything may be absent, null or of another type.

import { RedfishError } from './error.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object at the path of names, or an empty one. */
export function getObject(body: Json, ...names: readonly string[]): Json {
  let value: unknown = body;
  for (const name of names) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : {};
}

export function getText(body: Json, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function getNumber(body: Json, name: string): number | undefined {
  const value = body[name];
  return typeof value === 'number' ? value : undefined;
}

export function getTexts(body: Json, name: string): readonly string[] | undefined {
  const value = body[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** Far more than the sensors of the largest server, or the entries of its log. */
export const longestList = 5000;

export function getObjects(body: Json, name: string): readonly Json[] {
  const value = body[name];
  if (!Array.isArray(value)) return [];
  if (value.length > longestList) throw new RedfishError('badResponse', `${name} is too long`);
  return value.filter(isObject);
}

/** Returns the target of a reference `{"@odata.id": …}`. */
export function getLink(body: Json, ...names: readonly string[]): string | undefined {
  return getText(getObject(body, ...names), '@odata.id');
}

export function getLinks(body: Json, name: string): readonly string[] {
  return getObjects(body, name)
    .map((item) => getText(item, '@odata.id'))
    .filter((link) => link !== undefined);
}
