import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toBrowser, toController, type PageNames } from './page-headers.ts';

const names: PageNames = { origin: 'https://abc.console.example.net', host: '10.0.5.12', cookie: '__Host-own' };

describe('the headers of a proxied page', () => {
  it('reach the controller as if it were called directly, without the gateway’s cookie', () => {
    const sent = toController(
      {
        host: 'abc.console.example.net',
        origin: names.origin,
        referer: `${names.origin}/view?x=1`,
        cookie: 'SID=1=2; __Host-own=secret',
        connection: 'keep-alive',
        'x-forwarded-for': '203.0.113.5',
        accept: '*/*',
      },
      names,
      'token',
    );
    assert.deepEqual(sent, {
      host: '10.0.5.12',
      origin: 'https://10.0.5.12',
      referer: 'https://10.0.5.12/view?x=1',
      cookie: 'SID=1=2',
      accept: '*/*',
      'x-auth-token': 'token',
    });
    const other = toController({ 'x-auth-token': 'page', cookie: '__Host-own=secret', origin: 'null' }, names, 'token');
    assert.deepEqual(other, { host: '10.0.5.12', 'x-auth-token': 'page', origin: 'null' });
  });

  it('keep the browser on the gateway: links, cookies and pins of the controller', () => {
    for (const [link, expected] of [
      ['https://10.0.5.12/login?next=%2F#top', '/login?next=%2F#top'],
      ['http://10.0.5.12:80/', '/'],
      ['//10.0.5.12/a', '/a'],
      ['/relative', '/relative'],
      ['next.html', 'next.html'],
      ['https://vendor.example/help', 'https://vendor.example/help'],
    ])
      assert.equal(toBrowser({ location: link }, names)['location'], expected);
    const sent = toBrowser(
      {
        'set-cookie': ['SID=1; Domain=10.0.5.12; Path=/; Secure; HttpOnly', '__Host-own=stolen; Path=/'],
        'strict-transport-security': 'max-age=1',
        'transfer-encoding': 'chunked',
        'content-type': 'text/html',
      },
      names,
    );
    assert.deepEqual(sent, { 'content-type': 'text/html', 'set-cookie': ['SID=1; Path=/; Secure; HttpOnly'] });
    const plain = toBrowser(
      { 'set-cookie': ['A=1; Secure; SameSite=None'] },
      { ...names, origin: 'http://abc.localhost' },
    );
    assert.deepEqual(plain['set-cookie'], ['A=1']);
  });
});
