// The JSON Schema of a site file, for editors: they complete names, show what each means and mark what does not fit. The settings
// of each driver are in it as the driver has them.
import type { TSchema } from 'typebox';
import { secretReferences, type DriverKind } from '#contract/site-secrets.ts';
import { Site } from '#contract/site.ts';
import { settingsOfDrivers } from './secrets.ts';

type Json = Record<string, unknown>;

export function siteSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Hostyard site file',
    ...(plain(Site) as Json),
  };
}

/** Without what only we read; the sentence that a fault gives becomes the description. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const given = schema as Json;
  const own = Object.entries(given).filter(([name]) => !name.startsWith('x-') && !name.startsWith('~'));
  const made = Object.fromEntries(own.map(([name, value]) => [name, plain(value)])) as Json;
  const reason = given['x-reason'];
  if (typeof reason === 'string' && made['description'] === undefined) made['description'] = reason;
  return withDrivers(given, made);
}

/** Where a driver is chosen: its name is one of those that there are, and its settings are those of that one. */
function withDrivers(given: Json, made: Json): Json {
  const kind = (given['properties'] as Record<string, Json> | undefined)?.['settings']?.['x-driver'];
  if (kind === undefined) return made;
  const drivers = Object.entries(settingsOfDrivers[kind as DriverKind]);
  const properties = made['properties'] as Json;
  return {
    ...made,
    properties: { ...properties, driver: { enum: drivers.map(([name]) => name), description: 'The driver' } },
    anyOf: drivers.map(([name, settings]) => ({
      properties: { driver: { const: name }, settings: withReferences(plain(settings)) },
    })),
  };
}

/** Whatever a driver is told may stand elsewhere. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const walked = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, name === 'properties' ? members(value as Json) : value]),
  ) as Json;
  if (Array.isArray(walked['anyOf'])) walked['anyOf'] = walked['anyOf'].map(withReferences);
  return walked;
}

function members(properties: Json): Json {
  const references = Object.values(secretReferences).map(plain);
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      (member as TSchema & { type?: string }).type === 'string'
        ? { anyOf: [member, ...references] }
        : withReferences(member),
    ]),
  );
}
