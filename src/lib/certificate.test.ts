// Verifies certificates with other readers: Node's own parser, a TLS handshake, and openssl.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connect, createServer } from 'node:tls';
import { promisify } from 'node:util';
import { fc } from '#test/support/fast-check.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { selfSignedCertificate } from './certificate.ts';

const options = {
  name: 'Hostyard media',
  hosts: ['127.0.0.1', '2001:db8::1', 'media.example.net'],
  notBefore: new Date('2026-11-15T00:00:00Z'),
  days: 3650,
};

describe('a self-signed certificate', () => {
  it('contains the given values and is signed by its own key', () => {
    const { certificate, fingerprint } = selfSignedCertificate(options);
    const parsed = new X509Certificate(certificate);
    assert.equal(parsed.subject, 'CN=Hostyard media');
    assert.equal(parsed.issuer, parsed.subject);
    assert.equal(parsed.fingerprint256, fingerprint);
    assert.equal(parsed.verify(parsed.publicKey), true);
    assert.equal(parsed.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(parsed.checkIP('2001:db8::1'), '2001:db8::1');
    assert.equal(parsed.checkHost('media.example.net'), 'media.example.net');
    assert.equal(parsed.checkHost('other.example.net'), undefined);
    assert.equal(parsed.validFromDate.toISOString(), '2026-11-15T00:00:00.000Z');
    assert.equal(parsed.validToDate.toISOString(), '2036-11-12T00:00:00.000Z');
  });

  it('can be read whatever its name, hosts and validity', () => {
    const name = fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...'abcäß €-0') });
    const hosts = fc.array(fc.domain(), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(name, hosts, fc.integer({ min: 1, max: 36_500 }), (subject, names, days) => {
        const parsed = new X509Certificate(
          selfSignedCertificate({ ...options, name: subject, hosts: names, days }).certificate,
        );
        assert.equal(parsed.verify(parsed.publicKey), true);
        assert.equal(parsed.validToDate.getTime() - parsed.validFromDate.getTime(), days * 86_400_000);
        assert.equal(parsed.subjectAltName, names.map((host) => `DNS:${host}`).join(', '));
      }),
      { numRuns: 30 },
    );
  });

  it('works for a connection with a client that trusts it', async () => {
    const { key, certificate } = selfSignedCertificate({ ...options, notBefore: new Date(Date.now() - 60_000) });
    const server = createServer({ key, cert: certificate }, (socket) => socket.end('hello'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ host: '127.0.0.1', port, ca: certificate });
      await once(socket, 'secureConnect');
      assert.equal(socket.authorized, true);
      socket.destroy();
    } finally {
      server.close();
    }
  });

  it('is verified by openssl', needs('openssl'), async () => {
    await using folder = await temporaryFolder('certificate');
    const file = join(folder.path, 'certificate.pem');
    await writeFile(file, selfSignedCertificate({ ...options, notBefore: new Date(Date.now() - 60_000) }).certificate);
    const { stdout } = await promisify(execFile)('openssl', ['verify', '-CAfile', file, file]);
    assert.match(stdout, /: OK/);
  });
});
