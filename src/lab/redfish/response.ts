// Responses of a lab Redfish service, with errors from DMTF's base message registry.

export type Body = Record<string, unknown>;

export interface RedfishResponse {
  readonly status: number;
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export const noContent: RedfishResponse = { status: 204 };

const registry = 'Base.1.15';

export function errorResponse(status: number, key: string, text: string): RedfishResponse {
  const message = {
    '@odata.type': '#Message.v1_1_2.Message',
    MessageId: `${registry}.${key}`,
    Message: text,
    MessageSeverity: 'Critical',
    Resolution: 'None.',
  };
  return {
    status,
    body: { error: { code: message.MessageId, message: text, '@Message.ExtendedInfo': [message] } },
  };
}

export const notFound = errorResponse(404, 'ResourceMissingAtURI', 'There is no resource at this URI.');
export const notAllowed = errorResponse(405, 'OperationNotAllowed', 'This resource does not support this method.');

export function badValue(name: string): RedfishResponse {
  return errorResponse(400, 'PropertyValueError', `The value of ${name} is not allowed.`);
}
