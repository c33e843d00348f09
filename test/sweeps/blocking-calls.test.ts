// Nothing that a request reaches waits for the disk, a compressor or a key generator in the event loop: one such call
// holds up all other requests. Found in the syntax tree, so that a new one is noticed the day it is written.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseSync, Visitor } from 'vite';

const root = join(import.meta.dirname, '..', '..');
const folders = ['src/http', 'src/app', 'src/protocols'];

/** Each with the reason why no request waits for it. */
const allowed: Readonly<Record<string, string>> = {
  'src/http/files/media-server.ts readFileSync': 'reads the certificate when the listener starts',
  'src/http/pages/built-files.ts existsSync': 'lists the files when the server starts',
  'src/http/pages/built-files.ts readdirSync': 'lists the files when the server starts',
  'src/app/site/secrets.ts readFileSync': 'reads the secrets of a site file while the file is applied',
  'src/app/backup/create.ts existsSync': 'checks four names before a backup, which only staff start',
  'src/app/backup/restore.ts existsSync': 'restores while no server is running',
  'src/app/billing/documents/invoice-fonts.ts existsSync':
    'checks six names while a PDF is drawn, which costs far more',
  'src/app/billing/tax/rates.ts readFileSync': 'reads the rates, a small file, once per process',
  'src/app/network/graph/font.ts openSync': 'opens the font of the charts, once per process',
  'src/app/servers/certificates.ts generateKeyPairSync':
    'generates an Ed25519 key in microseconds, once per installation',
  'src/protocols/ipmi/random.ts randomFillSync': 'fills 4 KB, which takes microseconds',
};

function blockingCallsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes('Sync')) return [];
  const { program, errors } = parseSync(file, text);
  assert.deepEqual(errors, [], file);
  const names = new Set<string>();
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (!source.value.startsWith('node:')) return;
      for (const specifier of specifiers)
        if (specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier')
          names.add(specifier.imported.name);
    },
    // Through a namespace or an object of a package. `requestSync` is a method of ours.
    MemberExpression({ property }) {
      if (property.type === 'Identifier' && property.name !== 'requestSync') names.add(property.name);
    },
  }).visit(program);
  return [...names].filter((name) => name.endsWith('Sync')).map((name) => `${file} ${name}`);
}

describe('a request', () => {
  test('reaches no blocking call, apart from those listed with a reason', () => {
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(name))
        .map((name) => join(folder, name)),
    );
    assert.ok(files.length > 300, String(files.length));
    assert.deepEqual(files.flatMap(blockingCallsOf).sort(), Object.keys(allowed).sort());
  });
});
