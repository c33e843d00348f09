// Runs once after an install: loads the server without starting it, which strips the types and fills the compile cache
// of `npm start`. This makes the first start as fast and as small as later ones. Commands and tests load the sources, not the bundle.
import { flushCompileCache } from 'node:module';

// Not literals, because src/main.ts belongs to no TypeScript project. The third is what the name server's thread loads.
for (const file of ['main.ts', 'server/serve.ts', 'app/dns/run-name-server.ts', 'drivers/backup/transfer-process.ts'])
  await import(String(new URL(`../src/${file}`, import.meta.url)));
flushCompileCache();
process.exit(0);
