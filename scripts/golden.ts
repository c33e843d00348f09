// Writes what is made from the source and checked in, so that a change to it is seen in review: `npm run golden`.
// A test compares every file of the list with what is checked in.
import { mkdir, writeFile } from 'node:fs/promises';
import { type FaceName, faces } from '#contract/contract.ts';
import { type Face, effectOf } from '#contract/endpoint.ts';
import { openapiDocument } from '#contract/openapi.ts';

export interface GoldenFile {
  readonly file: string;
  readonly make: () => string | Promise<string>;
}

export const goldenFolder = new URL('../golden/', import.meta.url);
export const goldenFiles: readonly GoldenFile[] = [
  { file: 'openapi-v2.json', make: () => openapiText('v2') },
  { file: 'openapi-legacy.json', make: () => openapiText('legacy') },
  { file: 'endpoints.txt', make: endpointLines },
];

function openapiText(face: FaceName): string {
  return `${JSON.stringify(openapiDocument(face), null, 2)}\n`;
}

/** Interface, method, path, operation, access, effect, and whether it is an addition to the public documents. */
function endpointLines(): string {
  const lines = Object.entries(faces).flatMap(([face, declarations]) =>
    Object.entries(declarations as Face).map(([name, declaration]) =>
      [
        face,
        declaration.method,
        declaration.path,
        name,
        declaration.access,
        effectOf(declaration),
        ...(declaration.addition === true ? ['addition'] : []),
      ].join(' '),
    ),
  );
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  await mkdir(goldenFolder, { recursive: true });
  for (const { file, make } of goldenFiles) await writeFile(new URL(file, goldenFolder), await make());
}
