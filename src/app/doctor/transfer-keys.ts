// Checks the secrets of the keys in the site file with which secondaries transfer zones.
import type { Site } from '#contract/site/site.ts';
import { hashBytes } from '#protocols/dns/tsig.ts';
import { warning, type Problem } from './check.ts';

export function findShortSecrets(site: Site | undefined): Problem[] {
  return (site?.nameserver?.transfer?.keys ?? []).flatMap(({ name, algorithm, secret }) => {
    const [actual, needed] = [Buffer.from(secret, 'base64').length, hashBytes(algorithm)];
    if (actual >= needed) return [];
    const fix = `Generate one with \`openssl rand -base64 ${needed}\`, and set it in the site file and on the secondaries.`;
    return [warning(`The secret of the key ${name} has ${actual} bytes; ${algorithm} needs ${needed}.`, fix)];
  });
}
