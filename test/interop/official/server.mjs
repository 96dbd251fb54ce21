// node server.mjs NPM stdio|http: a server on @modelcontextprotocol/server in both eras, for the tests of the client.
// With http, prints its URL as its first line, and ends when its input is closed. Over HTTP, this package serves the
// handshake without sessions, so that there are no requests to the client and no subscriptions.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [npm, carrier] = process.argv.slice(2);
const require = createRequire(join(npm, 'package.json'));
const sdk = require('@modelcontextprotocol/server');
const { z } = createRequire(require.resolve('@modelcontextprotocol/server'))('zod');

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const question = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello?' } }], maxTokens: 10 };
let cancelled = 0;
let http; // the handler over HTTP

// Asks the client for a name, a text of a model and its directories: with a handshake by requests, else by the result.
async function ask(context) {
    const { inputResponses, envelope, elicitInput, requestSampling, send } = context.mcpReq;
    if (!envelope) {
        const [name, sample, roots] = [await elicitInput(question), await requestSampling(prompt),
                                       await send({ method: 'roots/list' })];
        return text(`${name.content.name}, ${sample.content.text}, ${roots.roots[0].uri}`);
    }
    if (!inputResponses)
        return sdk.inputRequired({
            requestState: 'asked',
            inputRequests: { name: sdk.inputRequired.elicit(question), sample: sdk.inputRequired.createMessage(prompt),
                             roots: sdk.inputRequired.listRoots() } });
    const { name, sample, roots } = inputResponses;
    return text(`${name.content.name}, ${sample.content.text}, ${roots.roots[0].uri}`);
}

async function run_until_cancelled(context) {
    const { signal, notify, _meta } = context.mcpReq;
    await notify({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1 } });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    cancelled += 1;
    return text('');
}

async function count(context) {
    const { notify, _meta } = context.mcpReq;
    for (const progress of [1, 2, 3]) {
        const params = { progressToken: _meta.progressToken, progress, total: 3, message: `step ${progress}` };
        await notify({ method: 'notifications/progress', params });
    }
    return text('counted');
}

function factory() {
    const server = new sdk.McpServer(
        { name: 'official-server', version: '1' },
        { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } });
    server.registerTool('add', {
        description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.object({ sum: z.number() }),
    }, ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
    server.registerTool('ask', {}, ask);
    server.registerTool('count', {}, count);
    server.registerTool('wait', {}, run_until_cancelled);
    server.registerTool('cancelled', {}, () => text(String(cancelled)));
    server.registerTool('log', {}, async (context) => {
        await context.mcpReq.log('debug', 'detail');
        await context.mcpReq.log('warning', { disk: 'full' }, 'disk');
        return text('logged');
    });
    server.registerTool('change', {}, async () => {
        if (http) {
            http.notify.resourceUpdated('note://a');
            http.notify.toolsChanged();
        } else {
            await server.server.sendResourceUpdated({ uri: 'note://a' });
            server.sendToolListChanged();
        }
        return text('changed');
    });
    server.registerResource('a', 'note://a', { mimeType: 'text/plain' }, (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'note a' }] }));
    server.registerResource('day', new sdk.ResourceTemplate('note://day/{day}', { list: undefined }), {},
                            (uri, { day }) => ({ contents: [{ uri: uri.href, text: `note of ${day}` }] }));
    const names = ['Ada', 'Alan', 'Grace'];
    const who = sdk.completable(z.string(), (value) => names.filter((name) => name.startsWith(value)));
    server.registerPrompt('greet', { argsSchema: z.object({ who }) }, ({ who }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${who}` } }] }));
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
        server.server.setRequestHandler(method, () => ({}));
    return server;
}

if (carrier === 'stdio') {
    require('@modelcontextprotocol/server/stdio').serveStdio(factory);
} else {
    http = sdk.createMcpHandler(factory);
    const { toNodeHandler } = require('@modelcontextprotocol/node');
    const listener = createServer(toNodeHandler(http)).listen(0, '127.0.0.1', () => {
        console.log(`http://127.0.0.1:${listener.address().port}/mcp`);
    });
    process.stdin.on('end', () => process.exit(0)).resume();
}
