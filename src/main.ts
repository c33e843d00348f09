// Where the server begins: `npm start`.
import { serve } from '#admin/serve.ts';
import { readConfig } from '#kernel/config.ts';

try {
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
