// Finds the sealing key. Unlike the server, the doctor must not create one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#lib/config.ts';

const keyBytes = 32;

export function findSealingKey({ dataFolder, sealingKey }: Config): Buffer | undefined {
  if (sealingKey !== undefined) return sealingKey;
  const file = join(dataFolder, 'secret.key');
  const key = existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : undefined;
  return key?.length === keyBytes ? key : undefined;
}
