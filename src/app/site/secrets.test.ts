import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { secretBox } from '#lib/secrets.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { readSite } from './file.ts';
import { sealReference, driverSettings } from './secrets.ts';

const site = (password: string) => `provider: { name: Test, currency: { code: EUR } }
servers:
  - name: dc01r01ds01
    bmc:
      driver: ipmi
      settings:
        address: 192.0.2.1
        username: provider
        password: ${password}
`;

function passwordOf(text: string, secrets?: ReturnType<typeof secretBox>): unknown {
  return readSite(site(text), 'site.yaml', secrets).servers?.[0]?.bmc.settings['password'];
}

describe('a secret of a site file', () => {
  afterEach(() => {
    delete process.env['HOSTYARD_TEST_SECRET'];
    delete process.env['CREDENTIALS_DIRECTORY'];
  });

  it('may be plain text, an environment variable, a file, a credential or sealed', async () => {
    await using folder = await temporaryFolder('secrets');
    const file = join(folder.path, 'bmc-password');
    writeFileSync(file, 'from a file\n');
    process.env['HOSTYARD_TEST_SECRET'] = 'from the environment';
    process.env['CREDENTIALS_DIRECTORY'] = folder.path;
    const box = secretBox(randomBytes(32));
    assert.equal(passwordOf('in clear'), 'in clear');
    assert.equal(passwordOf('{ env: HOSTYARD_TEST_SECRET }'), 'from the environment');
    assert.equal(passwordOf(`{ file: ${file} }`), 'from a file');
    assert.equal(passwordOf('{ credential: bmc-password }'), 'from a file');
    assert.equal(passwordOf(`{ sealed: ${sealReference(box, 'sealed text').sealed} }`, box), 'sealed text');
  });

  it('that cannot be resolved is reported once, at its position, without revealing a value', () => {
    const other = sealReference(secretBox(randomBytes(32)), 'sealed text').sealed;
    const wrong: [text: string, message: string][] = [
      ['{ env: HOSTYARD_TEST_SECRET }', 'password: the environment variable HOSTYARD_TEST_SECRET is not set'],
      ['{ file: /nowhere/at/all }', 'password: /nowhere/at/all cannot be read (ENOENT)'],
      ['{ credential: bmc }', 'password: the credential bmc is not available: systemd passed no credentials'],
      [`{ sealed: ${other} }`, "password: was sealed with another installation's key; seal it again here"],
    ];
    const box = secretBox(randomBytes(32));
    for (const [text, message] of wrong)
      assert.throws(() => passwordOf(text, box), { message: `site.yaml:9:9: ${message}` });
    assert.throws(() => passwordOf(`{ sealed: ${other} }`), /the key for sealed values is missing/);
  });

  it('is marked in the settings of every driver', () => {
    const unmarked = Object.entries(driverSettings).flatMap(([kind, drivers]) =>
      Object.entries(drivers).flatMap(([driver, schema]) => unmarkedIn(schema, `${kind} ${driver}`)),
    );
    assert.deepEqual(unmarked, []);
  });
});

/** Returns settings that are named like a secret but not marked as one. */
function unmarkedIn(schema: TSchema, path: string): string[] {
  const { properties = {}, anyOf = [] } = schema as { properties?: Record<string, TSchema>; anyOf?: TSchema[] };
  const unmarkedProperties = Object.entries(properties).flatMap(([name, member]) => {
    const isSecret = /^(?:.*password|.*secret|key|kg|token|community)$/i.test(name);
    const isMarked = (member as { 'x-secret'?: boolean })['x-secret'] === true;
    return isSecret && !isMarked ? [`${path}.${name}`] : unmarkedIn(member, `${path}.${name}`);
  });
  return [...unmarkedProperties, ...anyOf.flatMap((branch) => unmarkedIn(branch, path))];
}
