import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditSentence } from './audit-sentences.ts';

const names = { service: 'web1.example.net', zone: 'example.net' } as const;
const sentence = (operation: string, target: string) =>
  auditSentence({ operation, target }, 'Ada Winter', (thing) => names[thing as keyof typeof names]);

test('an audit entry says who did what to which thing', () => {
  assert.equal(
    sentence('v2.devicePowerSet', 'service=1001 action=off'),
    'Ada Winter sent the power command “off” to web1.example.net',
  );
  assert.equal(
    sentence('v2.deviceBootSet', 'service=1001 request=pxe'),
    'Ada Winter set the next boot of web1.example.net to Network',
  );
  assert.equal(
    sentence('legacy.recordCreate', 'domain_id=8 name=www.example.net type=A'),
    'Ada Winter added the A record www.example.net to example.net',
  );
  assert.equal(
    auditSentence({ operation: 'operator.serviceSuspend', target: 'id=7 reason=Unpaid since May' }, 'Bo'),
    'Bo suspended service 7: Unpaid since May',
  );
});

test('a part that the entry does not have is left out or general', () => {
  assert.equal(auditSentence({ operation: 'v2.zoneDelete', target: '' }, 'Bo'), 'Bo deleted a zone');
  assert.equal(
    auditSentence({ operation: 'operator.nullrouteAdd', target: 'ip=192.0.2.1' }, 'Bo'),
    'Bo null-routed 192.0.2.1',
  );
  assert.equal(auditSentence({ operation: 'v2.removedLongAgo', target: 'id=1' }, 'Bo'), undefined);
});
