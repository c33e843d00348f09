// Signed zones as validators see them: delv checks answers, and BIND's and ldns's verifiers a transferred zone.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SigningKey } from '#drivers/dns/builtin/sign-set.ts';
import type { ServerAddress } from '#drivers/dns/client.ts';
import { generateZoneKey, openPrivateKey } from '#protocols/dns/dnssec/keys.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { typeName } from '#protocols/dns/types.ts';
import { temporaryFolder } from './folder.ts';
import { transferZone } from './zone-transfer.ts';

const run = promisify(execFile);

/** The programs that a suite with these functions needs. */
export const dnssecValidators = ['dig', 'delv', 'dnssec-verify', 'ldns-verify-zone'] as const;

export async function newSigningKey(): Promise<SigningKey> {
  const { dnskey, privateKey } = await generateZoneKey();
  return { dnskey, privateKey: () => openPrivateKey(privateKey), isActive: true };
}

/** Returns what delv says about an answer, with this trust anchor of the zone. */
export async function validateAnswer(
  server: ServerAddress,
  zone: string,
  anchor: string,
  [name, type]: readonly [string, string],
): Promise<string> {
  await using folder = await temporaryFolder('anchors');
  const anchors = join(folder.path, 'anchors');
  await writeFile(anchors, `trust-anchors { "${zone}." ${anchor}; };\n`);
  const options = ['-p', String(server.port), '-a', anchors, `+root=${zone}`, name, type];
  const { stdout, stderr } = await run('delv', [`@${server.address}`, ...options]).catch((error: unknown) => {
    const { stdout: out, stderr: err } = error as { stdout: string; stderr: string };
    return { stdout: out, stderr: err };
  });
  return stdout + stderr;
}

/** Transfers the zone and has BIND and ldns verify its signatures and proofs. */
export async function verifyTransfer(server: ServerAddress, zone: string): Promise<void> {
  await using folder = await temporaryFolder('transferred');
  const transferred = await transferZone(server, zone, AbortSignal.timeout(20_000));
  const lines = transferred.flatMap(({ name, type, ttl, rdata }) =>
    rdata.map((data) => `${name}. ${ttl} IN ${typeName(type)} ${wireToContent(type, data, 'dotted')}`),
  );
  const file = join(folder.path, 'zone');
  await writeFile(file, `${lines.join('\n')}\n`);
  await run('dnssec-verify', ['-o', zone, '-z', file]);
  await run('ldns-verify-zone', [file]);
}
