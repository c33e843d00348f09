import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import { unknownError } from './outcomes.ts';

test('an error says why no address of Stripe could be reached', () => {
  const attempts = [new Error('connect ENETUNREACH 192.0.2.1:443'), new Error('connect ENETUNREACH 192.0.2.2:443')];
  const error = new Stripe.errors.StripeConnectionError({
    type: 'api_error',
    message: 'An error occurred with our connection to Stripe.',
    detail: new AggregateError(attempts),
  });
  assert.equal(unknownError(error).message, 'Stripe did not answer: connect ENETUNREACH 192.0.2.1:443');
});
