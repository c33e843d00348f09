// Checks payment files against the schemas in iso20022/, with xmllint.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export type PaymentSchema = 'pain.008.001.08' | 'pain.001.001.09';

/** Returns what is wrong with the file; empty if it is valid. */
export function schemaProblems(schema: PaymentSchema, file: string): string {
  const path = join(import.meta.dirname, 'iso20022', `${schema}.xsd`);
  const { status, stderr, error } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', path, '-'], {
    input: file,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return status === 0 ? '' : stderr;
}
