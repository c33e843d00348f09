import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obstacleText } from './obstacle-text.ts';

const names = { hostnameOf: (service: string) => (service === '1001' ? 'web1.example.net' : undefined), currency: '€' };

test('an obstacle to an erasure names servers, and amounts with their currency', () => {
  assert.equal(
    obstacleText('Terminate these services first: 1001, 1002.', names),
    'Terminate these services first: web1.example.net, 1002.',
  );
  assert.equal(obstacleText('Pay the open amount of 1194.27 first.', names), 'Pay the open amount of €1,194.27 first.');
  assert.equal(
    obstacleText('The account has a credit of 5.00. Ask us to refund it first.', names),
    'The account has a credit of €5.00. Ask us to refund it first.',
  );
  assert.equal(obstacleText('Delete all zones first.', names), 'Delete all zones first.');
});
