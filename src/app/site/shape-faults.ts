// What is wrong with the shape of a value of the site file, in the schema's own sentences: of the whole file, and of the settings
// of the driver that it names.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { PlacedFault, SitePath } from './placed-fault.ts';
import { referenceIn } from './secrets.ts';

const faultsTold = 200;

export interface ShapeFault {
  readonly path: SitePath;
  readonly message: string;
}

export function shapeFaults(schema: TSchema, value: unknown): ShapeFault[] {
  const { anyOf } = schema as { anyOf?: TSchema[] };
  // Of several shapes the one is meant that fits best.
  if (anyOf !== undefined)
    return anyOf
      .map((branch) => shapeFaults(branch, value))
      .reduce((best, faults) => (faults.length < best.length ? faults : best));
  const check = Compile(schema);
  const faults = new Map<string, ShapeFault>();
  if (check.Check(value)) return [];
  // The library stops at eight by default, which guards against callers; this file is the operator's own.
  Settings.Set({ maxErrors: faultsTold });
  const [, errors] = check.Errors(value);
  Settings.Reset();
  for (const { keyword, instancePath, params, message, schemaPath } of errors) {
    // Where the whole choice has a sentence, the faults of each possibility are not told.
    const choice = schemaPath.lastIndexOf('/anyOf/');
    if (choice >= 0 && reasonAt(schema, schemaPath.slice(0, choice)) !== undefined) continue;
    const path = pathOf(instancePath, value);
    const name = path.at(-1) ?? 'the file';
    if (keyword === 'required') {
      for (const missing of (params as { requiredProperties: string[] }).requiredProperties) {
        faults.set(`${instancePath}/${missing}`, { path, message: `${missing} is missing` });
      }
    } else if (keyword === 'additionalProperties') {
      for (const extra of (params as { additionalProperties: string[] }).additionalProperties) {
        faults.set(`${instancePath}/${extra}`, { path: [...path, extra], message: `${extra} is not known here` });
      }
    } else if (keyword !== 'boolean') {
      faults.set(instancePath, { path, message: `${name} ${reasonAt(schema, schemaPath) ?? message}` });
    }
  }
  return [...faults.values()];
}

/** The schema's own sentence, found by walking the path that the fault names. */
function reasonAt(schema: TSchema, schemaPath: string): string | undefined {
  let node: unknown = schema;
  for (const part of schemaPath.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[part];
  return (node as { 'x-reason'?: string } | undefined)?.['x-reason'];
}

function pathOf(pointer: string, value: unknown): (string | number)[] {
  let node = value;
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const part = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(node) ? Number(part) : part;
      node = (node as Record<string | number, unknown>)[step];
      return step;
    });
}

/** What is wrong with the choice of a driver and its settings. */
export function* driverFaults(
  known: Readonly<Record<string, TSchema>>,
  given: { readonly driver: string; readonly settings: Readonly<Record<string, unknown>> },
): Iterable<PlacedFault> {
  const schema = known[given.driver];
  if (schema === undefined) {
    yield [['driver'], `there is no driver ${given.driver}; there is ${Object.keys(known).join(', ')}`];
    return;
  }
  for (const { path, message } of shapeFaults(schema, given.settings)) {
    // A reference that leads nowhere is told once, where it is looked for.
    if (
      referenceIn(path.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], given.settings)) ===
      undefined
    )
      yield [['settings', ...path], message];
  }
}
