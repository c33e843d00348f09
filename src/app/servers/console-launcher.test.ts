import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launcherFile } from './console-launcher.ts';

const access = { host: 'console.example.net', server: 'dc01r01ds01', username: 'kvm-1', password: 'secret' };

describe('a launcher file', () => {
  it('passes host, user and password to the console of each model', () => {
    for (const model of ['aten', 'ami', 'generic']) {
      const file = launcherFile(model, access);
      for (const text of ['console.example.net', 'kvm-1', 'secret'])
        assert.ok(file.includes(`<argument>${text}</argument>`), `${model} ${text}`);
      assert.match(file, /codebase="https:\/\/console\.example\.net\/"/);
    }
    assert.match(launcherFile('aten', access), /main-class="tw\.com\.aten\.ikvm\.KVMMain"/);
  });

  it('is the generic one for an unknown model', () => {
    for (const model of ['', 'lab', 'constructor', '__proto__'])
      assert.equal(launcherFile(model, access), launcherFile('generic', access));
  });

  it('escapes every value', () => {
    const file = launcherFile('generic', {
      host: '"><evil a="',
      server: '</title>&',
      username: "<'user'>",
      password: ']]></argument><argument>',
    });
    assert.doesNotMatch(file, /<evil|<'user'|]]><\/argument><argument>\n|<\/title>&/);
    assert.ok(file.includes('&lt;&apos;user&apos;&gt;'));
    assert.equal(file.match(/<argument>/g)!.length, 3);
  });
});
