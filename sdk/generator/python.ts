// SDK generator: Python: dataclasses by quicktype, and a method for every operation.
import { modelsIn } from './models.ts';
import type { Operation, Parameter } from './operations.ts';
import type { Schema } from './schemas.ts';

const TYPES: Readonly<Record<Parameter['type'], string>> = {
  text: 'str',
  boolean: 'bool',
  integer: 'int',
  decimal: 'float',
  texts: 'Sequence[str]',
};
const KEYWORDS = ['from', 'class'];

const snake = (name: string): string => {
  const plain = name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.includes(plain) ? `${plain}_` : plain;
};

export const pythonModels = async (records: Readonly<Record<string, Schema>>): Promise<string> =>
  `"""The records of the service. Generated: see sdk/generator."""\n\n${await modelsIn('python', { 'just-types': 'true', 'python-version': '3.7' }, records)}`;

export function pythonCalls(operations: readonly Operation[]): string {
  const records = [...new Set(operations.map(({ record }) => record))].sort();
  return `"""Every request that the service answers. Generated: see sdk/generator."""

from typing import Iterator, Optional, Sequence

from ._transport import Transport
from .models import (
${records.map((name) => `    ${name},`).join('\n')}
)


class Calls(Transport):
    """One method for each operation; see Transport for what all of them raise."""
${operations.map(method).join('')}`;
}

function method({ name, method: verb, path, summary, parameters, record, isList }: Operation): string {
  const argumentsIn = (which: Parameter['location']): string =>
    `{${parameters
      .filter((one) => one.location === which)
      .map((one) => `"${one.name}": ${snake(one.name)}`)
      .join(', ')}}`;
  const given = parameters.map((one) =>
    one.isRequired
      ? `${snake(one.name)}: ${TYPES[one.type]}`
      : `${snake(one.name)}: Optional[${TYPES[one.type]}] = None`,
  );
  if (isList) given.push('page_size: int = 100');
  const signature = ['self', ...(given.length > 0 ? ['*', ...given] : [])].map((one) => `        ${one},\n`).join('');
  const parts = (['path', 'query', 'header', 'body'] as const)
    .filter((which) => parameters.some((one) => one.location === which))
    .map((which) => `            ${which}=${argumentsIn(which)},\n`);
  if (isList) parts.push('            page_size=page_size,\n');
  return `
    def ${snake(name)}(
${signature}    ) -> ${isList ? `Iterator[${record}]` : record}:
        """${summary}."""
        return self.${isList ? '_rows' : '_one'}(
            ${record},
            "${verb}",
            "${path}",
${parts.join('')}        )
`;
}
