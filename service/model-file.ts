// Service: reads and writes files of risk models, which `npm run fit` makes and `--model` takes.
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../shared/lib/result.ts';
import { type Parameters, ParametersSchema, RiskModel } from './engine/risk/model.ts';
import { RISK_MODEL } from './engine/risk/parameters.ts';
import { UsageError } from './usage-error.ts';

const CURE = 'Write a model with npm run fit -- --prices DIR --out FILE.';

/**
 * Returns the model of a file; the shipped one for a file with its parameters.
 * @throws UsageError that says what is wrong, where, and what to do
 */
export function readModel(file: string): RiskModel {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The model ${file} cannot be read: ${messageOf(error)}. ${CURE}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The model ${file} is not JSON: ${messageOf(error)}. ${CURE}`);
  }
  const parameters = ParametersSchema.safeParse(json);
  if (parameters.success) return modelOf(parameters.data);
  const { path, message } = parameters.error.issues[0] ?? { path: [], message: '' };
  throw new UsageError(`${file} is no model: at ${path.join('.') || 'its top'}: ${message}. ${CURE}`);
}

export function modelOf(parameters: Parameters): RiskModel {
  const own = new RiskModel(parameters, 'own');
  return own.hash === RISK_MODEL.hash ? RISK_MODEL : own;
}

/** Each list of numbers is on one line, as the formatter has it. */
export function writeModel(file: string, parameters: Parameters): void {
  const text = JSON.stringify(parameters, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  );
  writeFileSync(file, `${text}\n`);
}
