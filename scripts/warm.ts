// Runs once after an install: loads code without running it, which strips its types and fills the compile cache, so that the first
// start is as fast and as small as later ones.
//
//   node scripts/warm.ts server      the server from its bundle, and what its name server loads
//   node scripts/warm.ts documents   what its thread for PDFs loads
//   node scripts/warm.ts commands    what commands, tests and processes of backups load: sources
import { flushCompileCache } from 'node:module';
import { importQuickly } from '#lib/performance/quick-imports.ts';

const documents = [
  'app/billing/documents/invoice-pdf',
  'app/billing/statements/statement-pdf',
  'app/servers/certificate-pdf',
];
const files = {
  server: ['main', 'app/dns/run-name-server'],
  documents,
  commands: ['server/program', 'server/serve', 'drivers/backup/transfer-process'],
};
const purpose = process.argv[2] as keyof typeof files;

if (purpose === 'commands') importQuickly();
// Not literals, because src/main.ts belongs to no TypeScript project.
for (const file of files[purpose]) await import(String(new URL(`../src/${file}.ts`, import.meta.url)));
if (purpose === 'documents') await import('pdfkit');
flushCompileCache();
process.exit(0);
