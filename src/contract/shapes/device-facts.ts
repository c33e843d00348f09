// Facts about a service: its system, its location and its price. Our additions.
import { Type } from 'typebox';
import { Day, Moment, Money } from './account.ts';

const text = Type.String();

export const maxLabels = 20;

export const DeviceFacts = Type.Object({
  service: text,
  created: Moment,
  system: Type.String({
    description: 'The operating system that was installed last; empty if Hostyard installed none',
  }),
  installed: Type.String({ description: 'When, in UTC; empty if it is not known' }),
  rescue: Type.Enum(['0', '1'], { description: '1 while the rescue system runs' }),
  location: Type.String({ description: 'The data centre, as the provider names it; empty if it is not known' }),
  rack: Type.String({ description: 'Empty for a virtual machine, or if it is not known' }),
});

export const DevicePrice = Type.Object({
  plan: Type.String({ description: 'Empty if the service is not billed' }),
  price: Type.Union([Money, Type.Literal('')], { description: 'For each cycle, without tax; empty without a plan' }),
  months: Type.String({ description: 'Months in a cycle; empty without a plan' }),
  next: Type.Object({
    date: Type.Union([Day, Type.Literal('')], {
      description: 'When the next invoice is issued; empty if none is planned',
    }),
    amount: Type.Union([Money, Type.Literal('')], { description: 'The part of this service, without tax' }),
    lines: Type.Array(Type.Object({ description: text, amount: Money })),
  }),
});
