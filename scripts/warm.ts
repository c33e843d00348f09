// Run once after an install: loads the server without starting it, so that the types are stripped and the code compiled
// into the cache that `npm start` uses. The first start is then as quick and as small as every later one.
import { flushCompileCache } from 'node:module';

// The specifier is no literal, so that the rooms' types need not know of the one file that is in none.
await import(String(new URL('../src/main.ts', import.meta.url)));
flushCompileCache();
process.exit(0);
