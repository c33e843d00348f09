// libvirt's descriptions. They are read, edited and written back, so that manual changes by an operator survive.
import { ApiError } from '#lib/api-error.ts';
import { MalformedXmlError, parseXml as parseTree, type Element } from '#lib/xml-tree.ts';

export { childrenNamed, element, findPath, replaceChild, writeXml, type Element } from '#lib/xml-tree.ts';

/** Far more than libvirt writes about anything. Every megabyte takes up to half a second to parse. */
const maxCharacters = 2 ** 20;

export function parseXml(xml: string): Element {
  if (xml.length > maxCharacters) throw new ApiError('node_error', { internal: 'libvirt sent more than 1 MB of XML' });
  try {
    return parseTree(xml);
  } catch (error) {
    if (!(error instanceof MalformedXmlError)) throw error;
    throw new ApiError('node_error', { internal: 'libvirt sent malformed XML', cause: error });
  }
}
