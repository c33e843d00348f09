// Converts our schemas to those of an OpenAPI document: exported shapes become named components, and keywords that only
// our own checks understand become descriptions.
import { type TSchema, Type } from 'typebox';
import * as accountShapes from '../shapes/account.ts';
import * as actionShapes from '../shapes/action.ts';
import * as certificateShapes from '../shapes/certificate.ts';
import * as deviceShapes from '../shapes/device.ts';
import * as dnsLimitShapes from '../shapes/dns-limits.ts';
import * as dnsShapes from '../shapes/dns.ts';
import * as eventShapes from '../shapes/event.ts';
import * as invitationShapes from '../shapes/invitation.ts';
import * as keyShapes from '../shapes/key.ts';
import * as networkShapes from '../shapes/network.ts';
import * as planShapes from '../shapes/plan.ts';
import * as volumeShapes from '../shapes/volume.ts';
import * as softwareShapes from '../shapes/software.ts';
import * as tsigShapes from '../shapes/tsig.ts';

export type Json = Record<string, unknown>;

/** Names the exported schemas of modules. Schemas are recognized by identity. */
export function schemaNames(...modules: readonly object[]): ReadonlyMap<unknown, string> {
  const exported = modules.flatMap((module) => Object.entries(module));
  const schemas = exported.filter(([, value]) => Type.IsSchema(value) && !Array.isArray(value));
  return new Map(schemas.map(([name, schema]) => [schema, name]));
}

export const shapeNames = schemaNames(
  accountShapes,
  actionShapes,
  invitationShapes,
  keyShapes,
  eventShapes,
  certificateShapes,
  deviceShapes,
  dnsShapes,
  dnsLimitShapes,
  tsigShapes,
  networkShapes,
  softwareShapes,
  planShapes,
  volumeShapes,
);

export function reference(section: string, name: string): Json {
  return { $ref: `#/components/${section}/${name}` };
}

/** Components that several operations share are written once and referred to by name. */
export interface Components {
  /** Converts a schema; one with a name becomes a reference. */
  readonly schema: (schema: TSchema) => Json;
  readonly add: (section: 'schemas' | 'responses', name: string, component: Json) => Json;
  readonly written: (section: 'schemas' | 'responses') => Json;
}
export function gatherComponents(names = shapeNames): Components {
  const sections = { schemas: new Map<string, Json>(), responses: new Map<string, Json>() };

  function write(schema: TSchema): Json {
    const name = names.get(schema);
    if (name === undefined) return body(schema);
    return sections.schemas.has(name) ? reference('schemas', name) : add('schemas', name, body(schema));
  }

  function body(schema: TSchema): Json {
    const { 'x-reason': reason, patternProperties, ...rest } = schema as Json & TSchema;
    const written = members(rest);
    if (patternProperties !== undefined)
      written['additionalProperties'] = write(Object.values(patternProperties as Record<string, TSchema>)[0]!);
    if (written['enum'] !== undefined) written['type'] = 'string';
    if (reason !== undefined && written['description'] === undefined) written['description'] = sentence(String(reason));
    return written;
  }

  function members(schema: Json): Json {
    const written: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties')
        written[keyword] = Object.fromEntries(
          Object.entries(value as Record<string, TSchema>).map(([name, member]) => [name, write(member)]),
        );
      else if (keyword === 'items') written[keyword] = write(value as TSchema);
      else if (keyword === 'anyOf') written[keyword] = (value as TSchema[]).map((option) => write(option));
      else written[keyword] = value;
    }
    return written;
  }

  function add(section: 'schemas' | 'responses', name: string, component: Json): Json {
    sections[section].set(name, component);
    return reference(section, name);
  }

  return {
    schema: write,
    add,
    written: (section) => Object.fromEntries([...sections[section]].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
