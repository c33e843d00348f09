// Which pages count as pages of this host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPageOrigin } from './page-origin.ts';

const originOf = (origin: string | undefined, host: string) =>
  findPageOrigin({ headers: origin === undefined ? {} : { origin }, host });

test('a page of the host that was called has its origin', () => {
  assert.equal(originOf('https://panel.example.net', 'panel.example.net'), 'https://panel.example.net');
  assert.equal(originOf('https://panel.example.net', 'Panel.example.net:443'), 'https://panel.example.net');
  assert.equal(originOf('http://localhost:8080', 'localhost:8080'), 'http://localhost:8080');
  assert.equal(originOf('http://[::1]:8080', '[::1]:8080'), 'http://[::1]:8080');
});

test('a page of another host or port, a request without a host, and a program have none', () => {
  const others = [
    'https://evil.example',
    'https://panel.example.net:8443',
    'https://sub.panel.example.net',
    'null',
    '',
  ];
  for (const origin of [...others, 'https://panel.example.net/', 'data:text/html,x', undefined])
    assert.equal(originOf(origin, 'panel.example.net'), undefined, String(origin));
  for (const host of ['', ' ', 'a b', 'panel.example.net@evil.example', 'panel.example.net/x'])
    assert.equal(originOf('https://evil.example', host), undefined, host);
});
