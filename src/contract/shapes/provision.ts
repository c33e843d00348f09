// What staff choose from when they provision a service, and what would happen.
import { Type } from 'typebox';
import { Day, Money } from './account.ts';
import { planMachineFields } from './pricing.ts';

const text = Type.String();
const { vcpus, memorymb, diskgb, size } = planMachineFields;

export const ProvisionOptions = Type.Object({
  plans: Type.Array(
    Type.Object({
      name: text,
      price: Money,
      setup: Money,
      cycle: Type.Enum(['monthly', 'quarterly', 'yearly']),
      hourly: Type.String({ description: 'Per started hour; empty if the plan is billed by the cycle' }),
      vcpus,
      memorymb,
      diskgb,
      size,
    }),
  ),
  models: Type.Array(
    Type.Object({
      model: Type.String({ description: 'Parts of the servers; the model of the BMC if unknown' }),
      free: Type.String({ description: 'Number of free servers' }),
      servers: Type.Array(text, { description: 'Their names' }),
    }),
    { description: 'Names of the first 1,000 free servers' },
  ),
  templates: Type.Array(Type.Object({ value: text, name: text, kind: text })),
  nodes: Type.Array(
    Type.Object({
      name: text,
      kinds: Type.Array(text, { description: 'The kinds of machines that it runs' }),
      memorymb: Type.String({ description: 'Free memory; empty if it did not respond' }),
      diskgb: Type.String({ description: 'Free disk; empty if it did not respond' }),
      error: Type.String({ description: 'Why it did not respond; otherwise empty' }),
    }),
  ),
});

const PreviewedInvoice = Type.Object({
  date: Type.Union([Day, Type.Literal('')], { description: 'Empty if there is none' }),
  subtotal: Money,
  tax: Money,
  total: Money,
  lines: Type.Array(Type.Object({ description: text, amount: Money })),
});

export const ProvisionPreview = Type.Object({
  netblock: Type.String({ description: 'The addresses that the service would get' }),
  ip: Type.String({ description: 'Its own address' }),
  currency: text,
  first: PreviewedInvoice,
  next: PreviewedInvoice,
});
