import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { fc } from '#test/support/fast-check.ts';
import { parse } from 'yaml';
import { cryptMatches } from '#lib/crypt-hash.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import type { SystemBuild } from '../driver.ts';
import { isoImage, readIsoImage } from './iso9660.ts';
import { changeSeed, seedImage } from './seed.ts';

const system: SystemBuild = {
  id: 'system-1',
  template: 'debian-12.qcow2',
  hostname: 'vm.example.com',
  rootPassword: 'correct horse: #1',
  addresses: [
    { address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' },
    { address: '2001:db8::10', prefixLength: 64, gateway: '2001:db8::1' },
    { address: '192.0.2.11', prefixLength: 32 },
  ],
  nameServers: ['192.0.2.53'],
  sshKeys: [],
};

describe('a seed image', needs('xorriso'), () => {
  const extract = async (image: Buffer): Promise<Record<string, string>> => {
    await using folder = await temporaryFolder('iso');
    const [path, files] = [join(folder.path, 'image'), join(folder.path, 'files')];
    await writeFile(path, image);
    const { stderr } = await promisify(execFile)('xorriso', [
      '-joliet',
      'on',
      '-indev',
      path,
      '-osirrox',
      'on',
      '-extract',
      '/',
      files,
    ]);
    assert.match(stderr, /Volume id {4}: 'cidata'/);
    const names = ['meta-data', 'network-config', 'user-data'];
    const texts = await Promise.all(names.map((name) => readFile(join(files, name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
  };

  it('contains what cloud-init reads, and only a hash of the password', async () => {
    const image = seedImage(system, '52:54:00:00:00:01');
    assert.equal(image.includes(system.rootPassword), false);
    const files = await extract(image);
    assert.deepEqual(parse(files['meta-data']!), { 'instance-id': 'system-1', 'local-hostname': 'vm.example.com' });
    assert.match(files['user-data']!, /^#cloud-config\n/);
    const user = parse(files['user-data']!) as {
      hostname: string;
      chpasswd: { expire: boolean; list: string };
      updates: unknown;
    };
    assert.deepEqual(user.updates, { network: { when: ['boot-new-instance', 'boot'] } });
    assert.deepEqual([user.hostname, user.chpasswd.expire], ['vm.example.com', false]);
    const [name, hash] = user.chpasswd.list.trim().split(':') as [string, string];
    assert.deepEqual([name, cryptMatches(system.rootPassword, hash)], ['root', true]);
    assert.deepEqual(parse(files['network-config']!), {
      version: 2,
      ethernets: {
        primary: {
          match: { macaddress: '52:54:00:00:00:01' },
          dhcp4: false,
          addresses: ['192.0.2.10/24', '2001:db8::10/64', '192.0.2.11/32'],
          routes: [
            { to: '0.0.0.0/0', via: '192.0.2.1' },
            { to: '::/0', via: '2001:db8::1' },
          ],
          nameservers: { addresses: ['192.0.2.53'] },
        },
      },
    });
  });

  it("contains SSH keys, and the customer's user data beside our own", async () => {
    const sshKeys = ['ssh-ed25519 AAAAC3Nza ada@example.com', 'ssh-rsa AAAAB3Nza'];
    const userData = '#!/bin/sh\ntouch /etc/marker\n';
    const files = readIsoImage(seedImage({ ...system, sshKeys, userData }, '52:54:00:00:00:01'))!;
    const { 'public-keys': keys } = parse(files['meta-data']!) as Record<string, unknown>;
    assert.deepEqual(keys, sshKeys);
    assert.equal(files['user-data'], userData);
    // cloud-init applies vendor data in addition, so that the hostname and the password are set.
    assert.match(files['vendor-data']!, /^#cloud-config\n/);
    assert.equal((parse(files['vendor-data']!) as { hostname: string }).hostname, 'vm.example.com');
  });

  it('holds files of any length', async () => {
    const texts = { 'meta-data': '', 'network-config': 'x'.repeat(2048), 'user-data': 'y'.repeat(9999) };
    assert.deepEqual(await extract(isoImage('cidata', texts)), texts);
    assert.deepEqual(readIsoImage(isoImage('cidata', texts)), texts);
  });

  it('gets other addresses, and keeps all else, so that cloud-init does not take the machine for a new one', async () => {
    const mac = '52:54:00:12:34:56';
    const image = seedImage(system, mac);
    const settings = { addresses: [{ address: '192.0.2.77', prefixLength: 32 }], nameServers: ['192.0.2.54'] };
    const changed = changeSeed(image, settings, mac)!;
    const [before, after] = [await extract(image), await extract(changed)];
    for (const name of ['meta-data', 'user-data']) assert.equal(after[name], before[name], name);
    // As cloud-init does, where an unquoted MAC address like this one is a number.
    const { ethernets } = parse(after['network-config']!, { version: '1.1' }) as { ethernets: { primary: object } };
    assert.deepEqual(ethernets.primary, {
      match: { macaddress: mac },
      dhcp4: false,
      addresses: ['192.0.2.77/32'],
      routes: [],
      nameservers: { addresses: ['192.0.2.54'] },
    });
    assert.equal(changeSeed(changed, settings, mac), undefined, 'it has them already');
  });

  it('of another program is left alone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(60_000), (bytes, at) => {
        const image = Buffer.alloc(60_300);
        Buffer.from(bytes).copy(image, at);
        assert.equal(changeSeed(image, system, '52:54:00:00:00:01'), undefined);
        void readIsoImage(image.subarray(0, at));
      }),
    );
  });

  it('is a whole number of sectors', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,12}$/), fc.string({ maxLength: 5000 }), { maxKeys: 5 }),
        (files) => {
          assert.equal(isoImage('label', files).length % 2048, 0);
        },
      ),
    );
  });
});
