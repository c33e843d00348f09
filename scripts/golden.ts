// Writes what is made from the source and checked in, so that a change to it is seen in review: `npm run golden`.
// A test compares every file of the list with what is checked in.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { sections } from '#admin/sections.ts';
import { siteSchema } from '#app/site/schema.ts';
import { helpText } from '#cli/help-text.ts';
import { processShell } from '#cli/shell.ts';
import { type FaceName, faces } from '#contract/contract.ts';
import { type Face, effectOf } from '#contract/endpoint.ts';
import { imageStates } from '#contract/image-states.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { reloadStates } from '#contract/reload-states.ts';
import { openStore } from '#store/open.ts';
import { movingPage } from './moving-page.ts';
import { sdkErrors, sdkSource } from './sdk-source.ts';

export interface GoldenFile {
  readonly file: string;
  readonly make: () => string | Promise<string>;
}

export const goldenFolder = new URL('../golden/', import.meta.url);
export const goldenFiles: readonly GoldenFile[] = [
  { file: 'openapi-v2.json', make: () => openapiText('v2') },
  { file: 'openapi-legacy.json', make: () => openapiText('legacy') },
  { file: 'openapi-operator.json', make: () => openapiText('operator') },
  { file: 'endpoints.txt', make: endpointLines },
  { file: 'cli-help.txt', make: cliHelp },
  { file: 'schema.sql', make: schemaText },
  { file: 'states.dot', make: statesText },
  { file: 'site.schema.json', make: () => `${JSON.stringify(siteSchema(), undefined, 2)}\n` },
  { file: '../docs/moving-from-legacy.md', make: movingPage },
  ...sdkFiles(),
];

/** Beside the hand-written part of the SDK, which imports them. */
function sdkFiles(): GoldenFile[] {
  const ofFaces = (Object.keys(faces) as FaceName[]).map((face) => ({
    file: `../src/sdk/generated/${face}.ts`,
    make: () => sdkSource(face),
  }));
  return [...ofFaces, { file: '../src/sdk/generated/errors.ts', make: sdkErrors }];
}

function openapiText(face: FaceName): string {
  return `${JSON.stringify(openapiDocument(face), null, 2)}\n`;
}

/** Interface, method, path, operation, access, effect, the scope that is enough to read where it can do both, and whether it is
 * an addition to the public documents. */
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
        ...(declaration.reading === undefined ? [] : [`reading:${declaration.reading.access}`]),
        ...(declaration.addition === true ? ['addition'] : []),
      ].join(' '),
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** As it is told where it does not go to a terminal, whose width would change it. */
function cliHelp(): Promise<string> {
  return helpText(sections, { ...processShell(), out: new PassThrough() });
}

/** The state tables, to be drawn by Graphviz. */
function statesText(): string {
  const machines: Record<string, Readonly<Record<string, readonly string[]>>> = {
    'network boot': reloadStates,
    image: imageStates,
  };
  return Object.entries(machines)
    .map(([name, table]) => {
      const lines = Object.entries(table).flatMap(([from, next]) => [
        `  "${from}"${next.length === 0 ? ' [peripheries=2]' : ''};`,
        ...next.map((to) => `  "${from}" -> "${to}";`),
      ]);
      return `digraph "${name}" {\n${lines.join('\n')}\n}\n`;
    })
    .join('\n');
}

/** The tables as SQLite has them after every migration; a test holds PostgreSQL's against the same. */
async function schemaText(): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hostyard-golden-'));
  try {
    const store = await openStore({ dataFolder, database: undefined });
    const { rows } = await sql<{ sql: string }>`select sql from sqlite_master
      where sql is not null and name not like 'sqlite_%' order by tbl_name, type = 'table' desc, name`.execute(
      store.queries,
    );
    await store.close();
    return rows.map((row) => `${row.sql};\n`).join('\n');
  } finally {
    await rm(dataFolder, { recursive: true });
  }
}

if (import.meta.main) {
  await mkdir(goldenFolder, { recursive: true });
  await mkdir(new URL('../src/sdk/generated/', import.meta.url), { recursive: true });
  for (const { file, make } of goldenFiles) await writeFile(new URL(file, goldenFolder), await make());
}
