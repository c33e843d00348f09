// Invoices on their way through the e-invoicing network.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { deliveryStates, networkFormats } from './invoice-delivery.ts';

const text = Type.String();

const delivery = {
  id: text,
  invoiceid: text,
  invoicenum: text,
  documentid: Type.String({ description: 'The identifier of the document in the network' }),
  format: Type.Enum(networkFormats),
  state: Type.Enum(deliveryStates, {
    description: '`sent` means that the access point has it; `delivered` and `rejected` are final',
  }),
  receiver: Type.String({ description: 'The recipient’s electronic address; empty until it is sent' }),
  reason: Type.String({ description: 'Why it was rejected; empty otherwise' }),
  queued: Moment,
  sent: Type.Union([Moment, Type.Null()]),
  ended: Type.Union([Moment, Type.Null()], { description: 'When it was delivered or rejected' }),
};

export const DeliveryItem = Type.Object(delivery);

export const OperatorDeliveryItem = Type.Object({
  ...delivery,
  account: text,
  reference: Type.String({ description: 'The access point’s identifier of the document' }),
  problem: Type.String({ description: 'Why the last attempt failed; empty if it succeeded' }),
  nexttry: Type.Union([Moment, Type.Null()]),
});
