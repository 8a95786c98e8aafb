import { messageOf, SurmiseError } from '../core/index.js';
import type { AwsCredentials } from '../models/providers.js';

/**
 * AWS credentials as every AWS tool finds them: variables, profiles of the shared files, SSO, roles of containers and
 * machines. Looked for at the first call, and again when they have run out.
 *
 * @param profile of the shared files; default `AWS_PROFILE`, else `default`
 */
export function awsCredentials(profile?: string): () => Promise<AwsCredentials> {
  let chain: (() => Promise<AwsCredentials>) | undefined;
  return async () => {
    try {
      chain ??= (await load()).defaultProvider(profile === undefined ? {} : { profile });
      return await chain();
    } catch (error) {
      if (error instanceof SurmiseError) throw error;
      throw new SurmiseError('provider_failed', `AWS credentials can not be found: ${messageOf(error)}`, {
        cause: error,
        fatal: true,
      });
    }
  };
}

async function load() {
  try {
    return await import('@aws-sdk/credential-provider-node');
  } catch (error) {
    throw new SurmiseError(
      'bad_argument',
      'AWS credentials need the package "@aws-sdk/credential-provider-node"; install it with: npm install @aws-sdk/credential-provider-node@3. ' +
        'With a key of Bedrock in AWS_BEARER_TOKEN_BEDROCK it is not needed.',
      { cause: error },
    );
  }
}
