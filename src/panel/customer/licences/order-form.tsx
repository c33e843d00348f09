// Ordering a licence, with what it costs before the order is given: it is invoiced at once.
import { Alert, Select, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { changes, licenceName, typeOf } from './licence.ts';

export interface OrderFormProps {
  readonly device: Device;
  readonly close: () => void;
}

export function OrderForm({ device, close }: OrderFormProps): JSX.Element {
  const offers = useRead('deviceLicenceOfferList', { service: device.service });
  const fields = useFields({ license: '' });
  const { license } = fields.values;
  const order = useLegacyChange('softwareOrder', { done: `${licenceName(license)} is ordered.`, changes });
  const send = async (): Promise<void> => {
    await order.mutateAsync({ service: device.service, type: typeOf(device), license });
    close();
  };
  return (
    <Answer of={offers} lines={2}>
      {(all) => {
        const picked = all.find((offer) => offer.license === license);
        return (
          <Form
            fields={fields}
            label="Order and pay by invoice"
            cancel={close}
            send={send}
            reason={picked === undefined ? 'Choose a licence first.' : undefined}
          >
            {all.length === 0 ? (
              <Text size="sm">This server has every licence that it can have.</Text>
            ) : (
              <Select
                label="Licence"
                required
                searchable
                data={all.map((offer) => ({ value: offer.license, label: licenceName(offer.license) }))}
                value={license === '' ? null : license}
                error={fields.errorOf('license')}
                onChange={(value) => fields.set({ license: value ?? '' })}
                data-autofocus
              />
            )}
            {picked !== undefined && (
              <Alert variant="default" title="What it costs">
                <Money amount={picked.first} /> now, until the end of your month; then <Money amount={picked.price} /> a
                month. Tax comes on top where it applies.
              </Alert>
            )}
          </Form>
        );
      }}
    </Answer>
  );
}
