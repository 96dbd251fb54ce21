// The steps of the test with the official clients. A step uses one connection; `at` describes it: `at.version` is the
// negotiated protocol version, `at.stateless` whether that version has no handshake, `at.carrier` is stdio, http or
// sse, and `at.isFormer` whether the client is the one of @modelcontextprotocol/sdk.

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const watched = 'test://watched-resource';

const text = (value) => ({ type: 'text', text: value });
const answer = { action: 'accept', content: { username: 'ada', email: 'ada@example.org' } };

// Values that arrive one by one, for example notifications.
export class Inbox {
    values = [];
    waiting = [];

    add(value) {
        this.values.push(value);
        for (const wake of this.waiting.splice(0)) wake();
    }

    // Waits until at least this number of values has arrived. The time limit of the test applies.
    async atLeast(count) {
        while (this.values.length < count) await new Promise((resolve) => this.waiting.push(resolve));
        return this.values;
    }
}

// Handlers for everything that the server sends.
export function install(at) {
    at.inboxes = {};
    const { sdk, client } = at;
    for (const kind of ['message', 'tools/list_changed', 'prompts/list_changed', 'resources/list_changed',
                        'resources/updated']) {
        const inbox = (at.inboxes[kind] = new Inbox());
        sdk.onNotification(client, `notifications/${kind}`, (notification) => inbox.add(notification.params ?? {}));
    }
    at.elicitations = [];
    at.samplings = [];
    at.nextAnswer = answer;
    sdk.onRequest(client, 'elicitation/create', ({ params }) => {
        at.elicitations.push(params);
        return at.nextAnswer;
    });
    sdk.onRequest(client, 'sampling/createMessage', ({ params }) => {
        at.samplings.push(params);
        return { role: 'assistant', model: 'a-model', content: text('Paris') };
    });
    sdk.onRequest(client, 'roots/list', () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
}

const call = (at, name, args = {}, options) => at.sdk.call(at.client, { name, arguments: args }, options);
const request = (at, method, params = {}, options) => at.sdk.request(at.client, method, params, options);

async function textOf(at, name, args, options) {
    const { content } = await call(at, name, args, options);
    return content.map((block) => block.text).join('');
}

// Returns all pages of a list.
async function pages(at, method, member) {
    const all = [];
    let cursor;
    do {
        const page = await request(at, method, cursor ? { cursor } : {});
        all.push(page[member]);
        cursor = page.nextCursor;
    } while (cursor);
    return all;
}

async function server_is_identified(at, check) {
    check.members(at.client.getServerVersion(), { name: 'conformance-server', version: '1' });
    check.equal(Object.keys(at.client.getServerCapabilities()).sort().filter((name) => name !== 'extensions' &&
        name !== 'tasks' && name !== 'completions'), ['logging', 'prompts', 'resources', 'tools']);
    if (!at.stateless) check.equal(await at.client.ping(), {});
    else check.includes((await at.client.discover()).supportedVersions, '2026-07-28');
}

async function lists_have_pages(at, check) {
    const tools = await pages(at, 'tools/list', 'tools');
    check.equal(tools.slice(0, -1).map((page) => page.length), tools.slice(0, -1).map(() => at.pageSize));
    const all = tools.flat();
    check.equal(new Set(all.map((tool) => tool.name)).size, all.length);
    check.equal(all.filter((tool) => tool.inputSchema.type !== 'object'), []);
    const listed = await at.client.listTools(); // all pages with the current package, one page with the former
    check.equal(listed.tools, at.isFormer ? tools[0] : all);
    for (const [method, member, names] of [
        ['resources/list', 'resources', ['static-text', 'static-binary', 'watched-resource']],
        ['resources/templates/list', 'resourceTemplates', ['template']],
        ['prompts/list', 'prompts', ['test_input_required_result_prompt', 'test_simple_prompt',
                                     'test_prompt_with_arguments', 'test_prompt_with_embedded_resource',
                                     'test_prompt_with_image']],
    ])
        check.equal((await pages(at, method, member)).flat().map((entry) => entry.name).sort(), names.sort());
}

async function results_have_all_types_of_content(at, check) {
    check.equal((await call(at, 'test_simple_text')).content, [text('This is a simple text response for testing.')]);
    check.equal((await call(at, 'test_image_content')).content, [{ type: 'image', data: png, mimeType: 'image/png' }]);
    const [audio] = (await call(at, 'test_audio_content')).content;
    check.equal(audio.type, at.version < '2025-03-26' ? 'text' : 'audio');
    const mixed = (await call(at, 'test_multiple_content_types')).content;
    check.equal(mixed.map((block) => block.type), ['text', 'image', 'resource']);
    check.equal(mixed[2].resource, { uri: 'test://mixed-content-resource', mimeType: 'application/json',
                                     text: '{"test":"data","value":123}' });
    const failed = await call(at, 'test_error_handling');
    check.members(failed, { isError: true,
                            content: [text('This tool intentionally returns an error for testing')] });
    // The client validates this result against the output schema of the tool.
    const measured = await call(at, 'test_structured_content', { name: 'Bern' });
    check.equal(JSON.parse(measured.content[0].text), { station: 'Bern', celsius: 21.5 });
    check.equal(measured.structuredContent,
                at.version < '2025-06-18' ? undefined : { station: 'Bern', celsius: 21.5 });
}

async function arguments_arrive_unchanged(at, check) {
    const unusual = { region: 'Zürich "é"\n\u{1F30D} ', limit: 9007199254740991 };
    check.equal(JSON.parse(await textOf(at, 'test_mirrored_arguments', unusual)), unusual);
    const names = Array.from({ length: 30 }, (_, i) => `name ${i}`);
    check.equal(await Promise.all(names.map((name) => textOf(at, 'greet', { name }))),
                names.map((name) => `Hello, ${name}!`));
    const large = 'x\u00e9'.repeat(500_000);
    check.equal(await textOf(at, 'greet', { name: large }), `Hello, ${large}!`);
}

async function progress_is_reported(at, check) {
    const updates = [];
    const result = await textOf(at, 'test_tool_with_progress', {}, { onprogress: (update) => updates.push(update) });
    check.equal(result, 'Tool with progress executed successfully');
    // The server sends the last update and the response at once. Both packages then report "Received a progress
    // notification for an unknown token", because they defer the handling of notifications, but not of responses.
    const late = at.takeErrors(/unknown token: .*"progress":100,/);
    check.equal(updates, [0, 50, 100].slice(0, 3 - late.length).map((progress) => ({ progress, total: 100 })));
}

async function cancelled_call_is_cancelled_in_the_server(at, check) {
    const before = Number(await textOf(at, 'test_cancelled_requests'));
    const abort = new AbortController();
    const cancelled = call(at, 'test_wait_for_cancellation', {},
                           { signal: abort.signal, onprogress: () => abort.abort('no longer needed') });
    const outcome = await cancelled.then(() => 'a result', (error) => String(error));
    check.includes(outcome, 'no longer needed');
    let after = before;
    while (after === before) after = Number(await textOf(at, 'test_cancelled_requests'));
    check.equal(after, before + 1);
    // With a handshake over HTTP, the server ends the stream of the cancelled call. Both packages resume that stream,
    // which is over, then open a second stream without the id of an event, and report its refusal with 409.
    if (at.carrier === 'http' && !at.stateless)
        at.expectedErrors.push(/SSE stream: .*Conflict|Maximum reconnection attempts/);
}

async function log_messages_have_the_requested_level(at, check) {
    const messages = at.inboxes.message;
    const run = async (level) => {
        let args = { name: 'test_tool_with_logging', arguments: {} };
        if (at.stateless) args._meta = { 'io.modelcontextprotocol/logLevel': level };
        else await at.client.setLoggingLevel(level);
        await at.sdk.call(at.client, args);
    };
    await run('error'); // this tool writes messages of the level info
    check.equal(messages.values, []);
    await run('debug');
    check.equal((await messages.atLeast(3)).map(({ level, data }) => [level, data]),
                ['started', 'data', 'completed'].map((word) => [
                    'info', word === 'data' ? 'Tool processing data' : `Tool execution ${word}`]));
}

async function resources_are_read(at, check) {
    const read = async (uri) => (await at.client.readResource({ uri })).contents;
    check.equal(await read('test://static-text'), [{ uri: 'test://static-text', mimeType: 'text/plain',
                                                     text: 'This is the content of the static text resource.' }]);
    check.equal(await read('test://static-binary'),
                [{ uri: 'test://static-binary', mimeType: 'image/png', blob: png }]);
    const [filled] = await read('test://template/42/data');
    check.equal(JSON.parse(filled.text), { id: '42', templateTest: true, data: 'Data for ID: 42' });
}

async function subscriber_is_notified_until_it_unsubscribes(at, check) {
    const updates = at.inboxes['resources/updated'];
    let subscription;
    const subscribe = async () => {
        if (!at.stateless) return check.equal(await at.client.subscribeResource({ uri: watched }), {});
        subscription = await at.client.listen({ resourceSubscriptions: [watched] });
        check.equal(subscription.honoredFilter, { resourceSubscriptions: [watched] });
    };
    const unsubscribe = async () => {
        if (!at.stateless) return check.equal(await at.client.unsubscribeResource({ uri: watched }), {});
        await subscription.close();
        check.equal(await subscription.closed, 'local');
    };
    await subscribe();
    await call(at, 'test_trigger_resource_update');
    await updates.atLeast(1);
    await unsubscribe();
    await call(at, 'test_trigger_resource_update');
    await subscribe();
    await call(at, 'test_trigger_resource_update');
    await updates.atLeast(2);
    await unsubscribe();
    check.equal(updates.values.map(({ uri }) => uri), [watched, watched]); // and no third one
}

async function changes_of_lists_are_announced(at, check) {
    const subscription = at.stateless && await at.client.listen({
        toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
    for (const [tool, kind] of [['test_trigger_tool_change', 'tools/list_changed'],
                                ['test_trigger_prompt_change', 'prompts/list_changed'],
                                ['test_trigger_resource_change', 'resources/list_changed']]) {
        const inbox = at.inboxes[kind];
        const before = inbox.values.length;
        await call(at, tool);
        await inbox.atLeast(before + 1); // else the time limit of the test ends
    }
    if (subscription) await subscription.close();
}

async function prompts_are_returned(at, check) {
    const messages = async (name, args) => (await at.client.getPrompt({ name, arguments: args })).messages;
    const user = (content) => ({ role: 'user', content });
    check.equal(await messages('test_simple_prompt'), [user(text('This is a simple prompt for testing.'))]);
    check.equal(await messages('test_prompt_with_arguments', { arg1: 'one', arg2: 'two' }),
                [user(text("Prompt with arguments: arg1='one', arg2='two'"))]);
    const resource = { uri: 'test://r', mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    check.equal(await messages('test_prompt_with_embedded_resource', { resourceUri: 'test://r' }),
                [user({ type: 'resource', resource }), user(text('Please process the embedded resource above.'))]);
    check.equal(await messages('test_prompt_with_image'),
                [user({ type: 'image', data: png, mimeType: 'image/png' }),
                 user(text('Please analyze the image above.'))]);
}

async function arguments_are_completed(at, check) {
    const values = async (ref, value) =>
        (await request(at, 'completion/complete', { ref, argument: { name: 'arg1', value } })).completion.values;
    const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    check.equal(await values(prompt, 'pa'), ['paris', 'park', 'party']);
    check.equal(await values(prompt, 'pari'), ['paris']);
    const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
    check.equal(await values(template, 'party!'), []);
}

async function server_asks_the_client(at, check) {
    check.equal(await textOf(at, 'test_sampling', { prompt: 'What is the capital of France?' }), 'LLM response: Paris');
    check.members(at.samplings[0], {
        messages: [{ role: 'user', content: text('What is the capital of France?') }], maxTokens: 100 });
    check.equal(await textOf(at, 'test_input_required_result_list_roots'), 'Roots: file:///work ');
    if (at.version < '2025-06-18') // these versions have no elicitation
        return check.fails(call(at, 'test_elicitation', { message: 'Who are you?' }), -32602);
    const described = `content=${JSON.stringify(answer.content)}`;
    check.equal(await textOf(at, 'test_elicitation', { message: 'Who are you?' }),
                `User response: action=accept, ${described}`);
    check.members(at.elicitations[0], { message: 'Who are you?' });
    check.equal(at.elicitations[0].requestedSchema.required, ['username', 'email']);
    for (const action of ['decline', 'cancel']) {
        at.nextAnswer = { action };
        check.equal(await textOf(at, 'test_elicitation', { message: '?' }),
                    `User response: action=${action}, content={}`);
    }
    for (const tool of ['test_elicitation_sep1034_defaults', 'test_elicitation_sep1330_enums'])
        check.equal(await textOf(at, tool), 'Elicitation completed: action=cancel, content={}');
    at.nextAnswer = { action: 'accept', content: { name: 'Ada', color: 'blue' } };
    check.equal(await textOf(at, 'test_input_required_result_multi_round'), 'Ada likes blue');
    check.equal(await textOf(at, 'test_input_required_result_multiple_inputs'), 'Paris Ada');
    at.nextAnswer = { action: 'accept', content: { context: 'a test' } };
    const { messages } = await at.client.getPrompt({ name: 'test_input_required_result_prompt' });
    check.equal(messages[0].content, text('Context: a test'));
}

async function faults_are_errors(at, check) {
    await check.fails(call(at, 'no_such_tool'), -32602);
    if (at.version < '2025-11-25') { // invalid arguments are an error of the protocol
        await check.fails(call(at, 'test_sampling', { prompt: 1 }), -32602);
    } else {
        const invalid = await call(at, 'test_sampling', { prompt: 1 });
        check.equal(invalid.isError, true);
        check.includes(invalid.content[0].text, 'prompt');
    }
    await check.fails(call(at, 'test_defect'), -32603);
    // The server sends -32002 with a handshake, which the current package replaces by the code of 2026-07-28.
    await check.fails(at.client.readResource({ uri: 'test://no-such-resource' }), at.isFormer ? -32002 : -32602);
    await check.fails(at.client.getPrompt({ name: 'no_such_prompt' }), -32602);
    await check.fails(at.client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: '1' } }), -32602);
    await check.fails(request(at, 'tools/list', { cursor: 'no such cursor' }), -32602);
    if (at.carrier !== 'http' || !at.stateless)
        return check.fails(at.sdk.requestUnknown(at.client, 'no/such/method'), -32601);
    // The current package reports the status 404 in place of the error response in the body.
    await check.fails(at.sdk.requestUnknown(at.client, 'no/such/method'), 'CLIENT_HTTP_NOT_IMPLEMENTED');
    check.equal(at.takeErrors(/Error POSTing to endpoint: .*"code":-32601,"message":"Method not found"/).length, 1);
}

// Of both packages, only the former one has tasks, in the form of 2025-11-25. inspector.mjs covers both forms.
async function calls_continue_as_tasks(at, check) {
    if (!at.isFormer) return;
    const { tasks } = at.client.experimental;
    const start = (seconds) => tasks.callToolStream({ name: 'slow_compute', arguments: { seconds, label: 'x' } },
                                                    undefined, { task: { ttl: 60_000 } });
    const messages = [];
    for await (const message of start(0)) messages.push(message);
    check.equal([messages[0].type, messages.at(-1).type], ['taskCreated', 'result']);
    check.equal(messages.at(-1).result.content, [text('computed x')]);
    const { taskId } = messages[0].task;
    check.members(await tasks.getTask(taskId), { taskId, status: 'completed', ttl: 60_000 });
    check.equal((await tasks.getTaskResult(taskId, at.sdk.results['tools/call'])).content, [text('computed x')]);
    const { value } = await start(60).next();
    check.equal((await tasks.listTasks()).tasks.map((task) => task.taskId).includes(value.task.taskId), true);
    check.equal((await tasks.cancelTask(value.task.taskId)).status, 'cancelled');
    await check.fails(tasks.getTask('no such task'), -32602);
}

// The server ends the stream of the call before the response; the client resumes it.
async function stream_is_resumed(at, check) {
    if (at.carrier !== 'http' || at.version !== '2025-11-25') return;
    check.equal(await textOf(at, 'test_reconnection'), 'The response was sent after the end of the first connection');
}

export const steps = [
    server_is_identified, lists_have_pages, results_have_all_types_of_content, arguments_arrive_unchanged,
    progress_is_reported, cancelled_call_is_cancelled_in_the_server, log_messages_have_the_requested_level,
    resources_are_read, subscriber_is_notified_until_it_unsubscribes, changes_of_lists_are_announced,
    prompts_are_returned, arguments_are_completed, server_asks_the_client, faults_are_errors,
    calls_continue_as_tasks, stream_is_resumed,
];
