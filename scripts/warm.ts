// Runs once after an install: loads code without running it, which strips its types and fills the compile cache, so that the first
// start is as fast and as small as later ones.
//
//   node scripts/warm.ts server      the server and its name server, from the bundle
//   node scripts/warm.ts documents   its thread for PDFs, likewise
//   node scripts/warm.ts commands    what commands, tests and processes of backups load: sources
import { enableCompileCache, flushCompileCache } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlesFolder, currentBundle } from '#lib/performance/program-bundle.ts';
import { importQuickly } from '#lib/performance/quick-imports.ts';

const root = new URL('../', import.meta.url);
const bundle = currentBundle(root);
const files = {
  server: ['src/main.ts', threadFile('src/app/dns/name-server-thread.js')],
  documents: [threadFile('src/app/billing/documents/pdf-thread.ts')],
  commands: ['src/server/program.ts', 'src/server/serve.ts', 'src/drivers/backup/transfer-process.ts'],
};
const purpose = process.argv[2] as keyof typeof files;

enableCompileCache(fileURLToPath(new URL('node_modules/.cache/compile', root)));
if (purpose === 'commands') importQuickly();
// Not literals, because src/main.ts belongs to no TypeScript project.
for (const file of files[purpose]) await import(String(new URL(file, root)));
if (purpose === 'documents') await import('pdfkit');
flushCompileCache();
process.exit(0);

function threadFile(source: string): string {
  return bundle === undefined ? source : `${bundlesFolder}${bundle.folder}/${basename(source).replace(/\.ts$/, '.js')}`;
}
