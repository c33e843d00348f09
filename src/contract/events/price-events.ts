// Events that announce the end of a service or its new prices.
import { Type } from 'typebox';
import { event } from './event.ts';

const text = Type.String();

export const priceEvents = {
  'service.termination.announced': event(
    'A cancelled service will be terminated, and its data deleted',
    Type.Object({
      lastday: Type.String({ description: 'Until when the cancellation can be withdrawn' }),
      termination: Type.String({ description: 'YYYY-MM-DD' }),
    }),
  ),
  'service.price.announced': event(
    'New prices of a service were announced',
    Type.Object({
      plan: text,
      from: Type.String({ description: 'YYYY-MM-DD, the first day with the new prices' }),
      oldprice: Type.String({
        description: 'For each cycle, without tax; with an hourly price, the maximum per month',
      }),
      newprice: text,
      oldhourly: Type.String({ description: 'Empty if the plan is billed by the cycle' }),
      newhourly: text,
      other: Type.Array(Type.Enum(['cycle', 'minimum', 'bandwidth', 'addresses', 'usage']), {
        description: 'Other changes',
      }),
      lastday: Type.String({ description: 'The earliest last day if the customer cancels the service now' }),
    }),
  ),
  'service.price.kept': event(
    'Announced new prices of a service were withdrawn',
    Type.Object({ plan: text, from: Type.String({ description: 'When they would have applied' }) }),
  ),
};
