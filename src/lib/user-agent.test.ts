import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceText } from './user-agent.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('a browser is named with its version and system, a program by its name', () => {
  const texts: Readonly<Record<string, string>> = {
    [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]:
      'Edge 142 on Windows',
    [`${mozilla} (Linux; Android 15; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`]: 'Chrome 142 on Android',
    [`${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} Version/18.1 Mobile/15E148 Safari/604.1`]:
      'Safari 18 on iPhone',
    [`${mozilla} (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0`]: 'Firefox 145 on macOS',
    'hostyard/1.0 node/24': 'hostyard/1.0',
    '': '',
  };
  for (const [header, text] of Object.entries(texts)) assert.equal(deviceText(header), text, header);
});
