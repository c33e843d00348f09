// Facts about a service: its system, its location and its price. Our additions.
import { Type } from 'typebox';
import { Day, Moment, Money } from './account.ts';
import { described, text } from './text.ts';

export const maxLabels = 20;

export const DeviceFacts = Type.Object({
  service: text,
  created: Moment,
  system: described('The last operating system that Hostyard installed; empty if none'),
  installed: described('When it was installed, in UTC; empty if unknown'),
  rescue: Type.Enum(['0', '1'], { description: '1 while the rescue system runs' }),
  location: described('The provider’s name for the data centre; empty if unknown'),
  rack: described('Empty for a virtual machine, or if unknown'),
});

export const DevicePrice = Type.Object({
  plan: described('Empty if the service is not billed'),
  price: Type.Union([Money, Type.Literal('')], { description: 'For each cycle, without tax; empty without a plan' }),
  months: described('Months in a cycle; empty without a plan'),
  next: Type.Object({
    date: Type.Union([Day, Type.Literal('')], {
      description: 'When the next invoice is issued; empty if none is planned',
    }),
    amount: Type.Union([Money, Type.Literal('')], { description: 'This service’s share, without tax' }),
    lines: Type.Array(Type.Object({ description: text, amount: Money })),
  }),
});
