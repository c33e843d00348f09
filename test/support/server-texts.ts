// English texts of the server that the panel translates, read from where they are declared.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notSubjectReason, reasons } from '#app/billing/tax/rules.ts';
import { certificateFacts, certificateTitles, diskTexts, erasureText } from '#contract/certificate-text.ts';
import { apis } from '#contract/contract.ts';
import { roleNames } from '#contract/roles.ts';
import { CertificateDocument, certificateKinds } from '#contract/shapes/certificate.ts';
import { hardwareCategories } from '#contract/shapes/device.ts';
import { reloadStates } from '#contract/states/reloads.ts';
import { eraseMethods } from '#contract/states/servers.ts';

const source = join(import.meta.dirname, '..', '..', 'src');

export function serverTexts(): string[] {
  return [
    ...stateTexts(),
    ...failureTexts(),
    ...certificateTexts(),
    ...Object.keys(reloadStates),
    ...Object.values(reasons),
    notSubjectReason,
    ...hardwareCategories,
    ...roleNames,
  ];
}

/** The panel has labels of its own for these, or does not show them. */
const unshownStates = new Set([
  'Creating',
  'Changing',
  'Deleting',
  'Erasing',
  'Erased',
  'Purging',
  'Purged',
  'Withdrawing',
]);

/** States in results. Those that begin with a small letter are codes, which the panel has labels for. */
function stateTexts(): string[] {
  const states = new Set<string>();
  const collect = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('enum' in schema && /^(?:status|state|health)$/.test(name))
      for (const value of schema.enum as unknown[]) states.add(String(value));
    for (const [key, value] of Object.entries(schema)) collect(value, key);
  };
  for (const endpoints of [apis.v2, apis.operator])
    for (const { result } of Object.values(endpoints)) collect(result, '');
  return [...states].filter((state) => /^[A-Z]/.test(state) && !unshownStates.has(state));
}

/** Why an action of a customer failed, except those with values in them. */
function failureTexts(): string[] {
  return globSync('workflows/**/*.ts', {
    cwd: source,
    exclude: ['**/*.test.ts', '**/reclaim-*.ts', '**/migration-*.ts'],
  }).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/(?:failed\(\s*'\w+',\s*|\breason: )'([A-Z][^'\\]+)'/g)].map(
      ([, text]) => text!,
    ),
  );
}

function certificateTexts(): string[] {
  const erased = '2026-01-31T10:00:00Z';
  const document: CertificateDocument = {
    certificate: '1',
    provider: 'Example',
    server: 'd1',
    serial: 'S1',
    issued: erased,
    previouscustomer: true,
    erasure: 'erased',
    erased,
    bmcusersremoved: '0',
    bmcusersleft: '1',
    firmware: {},
    ports: '1',
    signedoff: [],
    disks: eraseMethods.map((method) => ({ serial: method, bytes: '1', method, seconds: '1' })),
  };
  const erasures = CertificateDocument.properties.erasure.enum;
  return [
    ...Object.values(certificateTitles),
    ...diskTexts(document).map(({ method }) => method),
    ...certificateFacts(document).map(([name]) => name),
    ...certificateKinds
      .flatMap((kind) => erasures.map((erasure) => erasureText({ ...document, erasure }, kind)))
      .map((text) => text.replace('2026-01-31 10:00 UTC', '{time}')),
  ];
}
