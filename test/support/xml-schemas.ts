// Checks payment files and invoices against the schemas in xml-schemas/, with xmllint. Those of payments are from ISO 20022, and those of
// invoices from Factur-X 1.0, which limits Cross Industry Invoices of UN/CEFACT to EN 16931.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export type XmlSchema = 'pain.008.001.08' | 'pain.001.001.09' | 'FACTUR-X_EN16931';

/** Returns what is wrong with the file; empty if it is valid. */
export function schemaProblems(schema: XmlSchema, file: string): string {
  const path = join(import.meta.dirname, 'xml-schemas', `${schema}.xsd`);
  const { status, stderr, error } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', path, '-'], {
    input: file,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return status === 0 ? '' : stderr;
}
