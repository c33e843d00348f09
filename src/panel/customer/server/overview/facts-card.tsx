// What is known about a server: its system, location and age, its price and the next invoice.
import type { JSX } from 'react';
import type { Device, Methods } from '#sdk/v2.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { useRead } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { Facts, type Fact } from '../../../parts/facts.tsx';
import { Day, Money } from '../../../parts/money.tsx';
import { QueryResult } from '../../../parts/query-result.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { SectionCard } from '../section-card.tsx';

type DevicePrice = Awaited<ReturnType<Methods['devicePriceGet']>>;

export function FactsCard({ device: { service } }: { device: Device }): JSX.Element {
  const facts = useRead('deviceFactsGet', { service });
  const mayReadPrices = useScopeDenial()('billing:read') === undefined;
  const price = useRead('devicePriceGet', { service }, { enabled: mayReadPrices });
  return (
    <SectionCard title="Details">
      <QueryResult query={facts} lines={4}>
        {({ system, installed, location, rack, created }) => (
          <Facts
            facts={[
              ['Installed system', system === '' ? <Dimmed span>Not installed by us</Dimmed> : system],
              ['Installed', installed === '' ? '' : <Timestamp key="at" at={installed} />],
              ['Data centre', location],
              ['Rack', rack],
              ['Created', <Timestamp key="at" at={created} />],
              ...(price.data === undefined ? [] : priceFacts(price.data)),
            ]}
          />
        )}
      </QueryResult>
      {price.error !== null && <QueryResult query={price}>{() => null}</QueryResult>}
    </SectionCard>
  );
}

const cycleNames: Readonly<Record<string, string>> = { 1: 'per month', 3: 'per quarter', 12: 'per year' };

function priceFacts({ price, months, next }: DevicePrice): Fact[] {
  if (price === '') return [['Price', <Dimmed key="none" span children="Not billed" />]];
  return [
    [
      'Price',
      <span key="price">
        <Money amount={price} /> {cycleNames[months] ?? `per ${months} months`}, plus tax
      </span>,
    ],
    [
      'Next invoice',
      next.date === '' ? (
        ''
      ) : (
        <span key="next">
          <Day on={next.date} />: <Money amount={next.amount} /> for this server, plus tax
        </span>
      ),
    ],
  ];
}
