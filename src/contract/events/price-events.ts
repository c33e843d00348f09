// Events that announce the end of a service or its new prices.
import { Type } from 'typebox';
import { event } from './event.ts';
import { described, text } from '../shapes/text.ts';

export const priceEvents = {
  'service.termination.announced': event(
    'A cancelled service will be terminated, and its data deleted',
    Type.Object({
      lastday: described('Until when the cancellation can be withdrawn'),
      termination: described('YYYY-MM-DD'),
    }),
  ),
  'service.price.announced': event(
    'New prices of a service were announced',
    Type.Object({
      plan: text,
      from: described('YYYY-MM-DD, the first day with the new prices'),
      oldprice: described('For each cycle, without tax; with an hourly price, the maximum per month'),
      newprice: text,
      oldhourly: described('Empty if the plan is billed by the cycle'),
      newhourly: text,
      other: Type.Array(Type.Enum(['cycle', 'minimum', 'bandwidth', 'addresses', 'usage']), {
        description: 'Other changes',
      }),
      lastday: described('The earliest last day if the customer cancels the service now'),
    }),
  ),
  'service.price.kept': event(
    'Announced new prices of a service were withdrawn',
    Type.Object({ plan: text, from: described('When they would have applied') }),
  ),
};
