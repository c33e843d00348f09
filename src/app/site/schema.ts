// Builds the JSON Schema of a site file, including the settings of each driver, so that editors can complete and check
// it.
import type { TSchema } from 'typebox';
import { secretReferences, type DriverKind } from '#contract/site/secrets.ts';
import { Site } from '#contract/site/site.ts';
import { driverSettings } from './secrets.ts';

type Json = Record<string, unknown>;

export function siteSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Hostyard site file',
    ...(plain(Site) as Json),
  };
}

/** Copies a schema without our own annotations; the sentence for problems becomes the description. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const source = schema as Json;
  const members = Object.entries(source).filter(([name]) => !name.startsWith('x-') && !name.startsWith('~'));
  const copy = Object.fromEntries(members.map(([name, value]) => [name, plain(value)])) as Json;
  const reason = source['x-reason'];
  if (typeof reason === 'string' && copy['description'] === undefined) copy['description'] = reason;
  return withDrivers(source, copy);
}

/** For a driver choice, restricts its name to those available and its settings to that driver's. */
function withDrivers(source: Json, copy: Json): Json {
  const kind = (source['properties'] as Record<string, Json> | undefined)?.['settings']?.['x-driver'];
  if (kind === undefined) return copy;
  const drivers = Object.entries(driverSettings[kind as DriverKind]);
  const properties = copy['properties'] as Json;
  return {
    ...copy,
    properties: { ...properties, driver: { enum: drivers.map(([name]) => name), description: 'The driver' } },
    anyOf: drivers.map(([name, settings]) => ({
      properties: { driver: { const: name }, settings: withReferences(plain(settings)) },
    })),
  };
}

/** Allows a reference in place of any text in a driver's settings. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'properties' ? withReferenceMembers(value as Json) : value,
    ]),
  ) as Json;
  if (Array.isArray(copy['anyOf'])) copy['anyOf'] = copy['anyOf'].map(withReferences);
  return copy;
}

function withReferenceMembers(properties: Json): Json {
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
