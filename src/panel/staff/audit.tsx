// Audit log.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function StaffAuditPage(): JSX.Element {
  return <Page title="Audit log">{null}</Page>;
}
