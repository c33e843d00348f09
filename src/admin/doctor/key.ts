// The sealing key where there is one. The server makes one where there is none; who only looks must not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#kernel/config.ts';

const keyBytes = 32;

export function presentKey({ dataFolder, sealingKey }: Config): Buffer | undefined {
  if (sealingKey !== undefined) return sealingKey;
  const file = join(dataFolder, 'secret.key');
  const key = existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : undefined;
  return key?.length === keyBytes ? key : undefined;
}
