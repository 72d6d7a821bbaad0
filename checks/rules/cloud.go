package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

const gone = "deletes it for everybody; there is no undo."

var cloudRules = []Rule{
	{
		ID: "infra-destroy", Family: "cloud",
		Title: "destroying or applying infrastructure",
		Safe:  "Make a plan, read it, and let the person apply it.",
		Hits: []Case{
			{Run: "terraform destroy -auto-approve", Want: hook.Deny},
			{Run: "terraform -chdir=infra destroy", Want: hook.Deny},
			{Run: "cd infra && terraform apply -destroy -auto-approve", Want: hook.Deny},
			{Run: "terraform apply -auto-approve"},
			{Run: "terraform apply"},
			{Run: "tofu destroy", Want: hook.Deny},
			{Run: "terraform state rm module.db"},
			{Run: "terraform workspace delete prod"},
			{Run: "terraform force-unlock -force abc"},
			{Run: "terragrunt run-all destroy", Want: hook.Deny},
			{Run: "pulumi destroy --yes --stack prod", Want: hook.Deny},
			{Run: "pulumi up --yes"},
			{Run: "pulumi stack rm prod"},
			{Run: "cdk destroy --all --force", Want: hook.Deny},
			{Run: "npx cdk deploy"},
			{Run: "serverless remove --stage prod"},
			{Run: "sst remove --stage prod"},
			{Run: "ansible all -m shell -a 'rm -rf /data'"},
			{Run: "vagrant destroy -f"},
			{Run: "terraform taint aws_db.main"},
		},
		Misses: []Case{
			{Run: "terraform plan -destroy"},
			{Run: "terraform plan -out tf.plan && terraform show tf.plan"},
			{Run: "terraform init && terraform validate && terraform fmt"},
			{Run: "terraform state list"},
			{Run: "terraform destroy -help"},
			{Run: "pulumi preview"},
			{Run: "cdk diff"},
			{Run: "cdk synth"},
			{Run: "terraform output -json"},
			{Run: "vagrant up"},
		},
		verbs: []verb{
			{prog: "terraform", words: "destroy", deny: true, fact: "destroys the infrastructure that this folder describes."},
			{prog: "terraform", words: "apply", with: "-destroy --destroy", deny: true, fact: "destroys the infrastructure that this folder describes."},
			{prog: "terraform", words: "apply", fact: "changes real infrastructure."},
			{prog: "terraform", words: "state rm|push|mv|replace-provider", fact: "makes Terraform forget or move a live resource."},
			{prog: "terraform", words: "taint|force-unlock|import|untaint", fact: "changes the recorded state of live resources."},
			{prog: "terraform", words: "workspace delete", fact: "deletes a workspace and its state."},
			{prog: "terragrunt", words: "… destroy", deny: true, fact: "destroys the infrastructure that this folder describes."},
			{prog: "terragrunt", words: "… apply|apply-all", fact: "changes real infrastructure."},
			{prog: "pulumi", words: "destroy|down", deny: true, fact: "destroys the stack's infrastructure."},
			{prog: "pulumi", words: "up|update|cancel|refresh|import", fact: "changes real infrastructure."},
			{prog: "pulumi", words: "stack rm", fact: "deletes a stack and its state."},
			{prog: "pulumi", words: "state delete|unprotect", fact: "makes Pulumi forget a live resource."},
			{prog: "cdk", words: "destroy", deny: true, fact: "destroys the stack's infrastructure."},
			{prog: "cdk|cdktf", words: "deploy", fact: "changes real infrastructure."},
			{prog: "cdktf", words: "destroy", deny: true, fact: "destroys the stack's infrastructure."},
			{prog: "serverless|sls|sst|sam|copilot|amplify|eb", words: "remove|delete|destroy|terminate", fact: "removes the deployed application."},
			{prog: "serverless|sls|sst|sam|copilot|eb|amplify", words: "deploy|push|publish", fact: "changes the deployed application."},
			{prog: "ansible", with: "-m", fact: "runs a command on other machines."},
			{prog: "ansible-playbook", words: "*", not: "-C --check --syntax-check --list-tasks --list-hosts", fact: "changes other machines."},
			{prog: "vagrant", words: "destroy", fact: "deletes a virtual machine."},
			{prog: "crossplane|eksctl|kops|kind|k3d|minikube", words: "delete", fact: "deletes a cluster."},
		},
	},
	{
		ID: "kubernetes-delete", Family: "cloud",
		Title: "deleting in a cluster",
		Safe:  "Run it with --dry-run=server, name one object, and ask the person.",
		Hits: []Case{
			{Run: "kubectl delete namespace production", Want: hook.Deny},
			{Run: "kubectl -n staging delete ns old", Want: hook.Deny},
			{Run: "kubectl delete all --all -n staging", Want: hook.Deny},
			{Run: "kubectl delete pvc data-0"},
			{Run: "kubectl delete -f k8s/"},
			{Run: "kubectl delete deploy/web"},
			{Run: "kubectl drain node-1 --force"},
			{Run: "kubectl scale deploy web --replicas=0"},
			{Run: "helm uninstall web"},
			{Run: "helm rollback web 1"},
			{Run: "kubectl apply -f k8s/ --prune --all"},
			{Run: "kubectl replace --force -f x.yaml"},
			{Run: "argocd app delete web"},
			{Run: "flux uninstall"},
			{Run: "kubectl delete crd x.example.com", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "kubectl get pods -n production -o wide"},
			{Run: "kubectl delete --help"},
			{Run: "kubectl delete ns old --dry-run=client"},
			{Run: "kubectl describe pod web"},
			{Run: "kubectl logs -f web"},
			{Run: "helm list -A"},
			{Run: "helm template . | head"},
			{Run: "helm uninstall web --dry-run"},
			{Run: "kubectl rollout status deploy/web"},
			{Run: "kubectl config get-contexts"},
		},
		verbs: []verb{
			{prog: "kubectl", words: "delete namespace*|ns|namespaces/*|ns/*|crd|customresourcedefinition*|pv|node|nodes", deny: true, fact: "deletes it with everything that lives in it."},
			{prog: "kubectl", words: "delete", with: "--all --all-namespaces -A", deny: true, fact: "deletes every object of that kind."},
			{prog: "kubectl", words: "delete pod|pods|po|job|jobs|pod/*|po/*|job/*", fact: "deletes running work in a cluster."},
			{prog: "kubectl", words: "delete", fact: "deletes objects of a cluster."},
			{prog: "kubectl", words: "drain|evict", fact: "empties a node of the cluster."},
			{prog: "kubectl", words: "replace", with: "--force", fact: "deletes objects before it makes them again."},
			{prog: "kubectl", words: "scale", with: "--replicas=0", fact: "stops a workload."},
			{prog: "kubectl", words: "apply", with: "--prune", fact: "deletes every object that the files do not name."},
			{prog: "helm", words: "uninstall|delete|del|un", fact: "removes a release from a cluster."},
			{prog: "helm", words: "rollback", fact: "replaces a running release."},
			{prog: "argocd", words: "app|proj|cluster|repo delete|rm|remove", fact: gone},
			{prog: "flux|istioctl|linkerd", words: "uninstall|delete|purge", fact: gone},
			{prog: "velero", words: "backup|restore|schedule delete", fact: gone},
		},
	},
	{
		ID: "docker-delete", Family: "cloud",
		Title: "deleting volumes or everything unused in Docker",
		Safe:  "Name the one container or image; keep volumes.",
		Hits: []Case{
			{Run: "docker system prune -af --volumes"},
			{Run: "docker volume rm app_pgdata"},
			{Run: "docker volume prune -f"},
			{Run: "docker compose down -v"},
			{Run: "docker compose -f a.yml down --volumes"},
			{Run: "docker-compose down --volumes --remove-orphans"},
			{Run: "docker compose rm -sfv"},
			{Run: "docker rm -f $(docker ps -aq)"},
			{Run: "docker ps -q | xargs docker kill"},
			{Run: "docker rm -fv db"},
			{Run: "podman system reset --force"},
			{Run: "docker system prune"},
			{Run: "docker rmi -f $(docker images -q)"},
			{Run: "docker swarm leave --force"},
			{Run: "docker run -v /:/host alpine rm -rf /host/etc"},
			{Run: "docker run --rm -v \"$PWD\":/w alpine rm -rf /w/src"},
			{Run: "docker compose kill && docker compose down --rmi all -v"},
			{Run: "docker run --privileged --pid=host alpine nsenter -t 1 -m sh"},
		},
		Misses: []Case{
			{Run: "docker compose down"},
			{Run: "docker compose up -d --build"},
			{Run: "docker rm -f agent-test-db"},
			{Run: "docker run --rm -v \"$PWD\":/w -w /w node:20 npm test"},
			{Run: "docker build -t app:dev ."},
			{Run: "docker image prune -f"},
			{Run: "docker ps -a"},
			{Run: "docker volume ls"},
			{Run: "docker stop web"},
			{Run: "docker builder prune -f"},
			{Run: "docker exec web rm -rf /tmp/cache"},
			{Run: "docker compose logs -f"},
			{Run: "docker container prune -f"},
		},
		call: dockerBroad,
		verbs: []verb{
			{prog: "docker", words: "system prune", with: "--volumes", deny: true, fact: "deletes every unused volume with its data."},
			{prog: "docker", words: "system prune", fact: "deletes everything that no running container uses."},
			{prog: "docker", words: "volume rm|remove", fact: "deletes a volume with its data."},
			{prog: "docker", words: "volume prune", deny: true, fact: "deletes every unused volume with its data."},
			{prog: "docker", words: "system|machine reset", deny: true, fact: "deletes all containers, images and volumes."},
			{prog: "docker", words: "machine rm", fact: "deletes a machine with its containers."},
			{prog: "docker", words: "rm", with: "-v --volumes", fact: "deletes a container with its volumes."},
			{prog: "docker", words: "container rm", with: "-v --volumes", fact: "deletes a container with its volumes."},
			{prog: "docker", words: "swarm leave|ca", fact: "takes this machine out of the swarm."},
			{prog: "docker", words: "stack|service|secret|config|network rm|remove|down", fact: "removes a running part of the swarm."},
			{prog: "docker", words: "context rm|remove", fact: "forgets a connection."},
			{prog: "compose", words: "down", with: "-v --volumes", fact: "deletes the volumes too: the databases in them are lost."},
			{prog: "compose", words: "rm", with: "-v", fact: "deletes the volumes too."},
			{prog: "colima|lima|limactl|multipass|lxc|incus|orb|orbctl", words: "delete|reset|purge", fact: "deletes a machine with everything in it."},
		},
	},
	{
		ID: "aws-delete", Family: "cloud",
		Title: "deleting in AWS",
		Safe:  "Use --dryrun or a read command first, and let the person delete.",
		Hits: []Case{
			{Run: "aws ec2 terminate-instances --instance-ids i-0abc"},
			{Run: "aws rds delete-db-instance --db-instance-identifier prod --skip-final-snapshot", Want: hook.Deny},
			{Run: "aws --profile prod s3 rb s3://bucket --force"},
			{Run: "aws s3 rm s3://bucket --recursive"},
			{Run: "aws s3 sync . s3://bucket --delete"},
			{Run: "aws cloudformation delete-stack --stack-name prod"},
			{Run: "aws dynamodb delete-table --table-name t"},
			{Run: "aws iam delete-user --user-name x"},
			{Run: "aws s3api delete-bucket --bucket b"},
			{Run: "aws lambda update-function-code --function-name f --zip-file fileb://x.zip"},
			{Run: "aws kms schedule-key-deletion --key-id k"},
			{Run: "aws secretsmanager delete-secret --secret-id s --force-delete-without-recovery"},
			{Run: "aws ec2 stop-instances --instance-ids i-0abc"},
			{Run: "aws s3 rm s3://bucket/key"},
		},
		Misses: []Case{
			{Run: "aws s3 ls s3://company-assets"},
			{Run: "aws s3 rm s3://b --recursive --dryrun"},
			{Run: "aws ec2 describe-instances"},
			{Run: "aws sts get-caller-identity"},
			{Run: "aws s3 cp s3://b/x /tmp/x"},
			{Run: "aws logs tail /aws/lambda/f --follow"},
			{Run: "aws cloudformation validate-template --template-body file://x"},
			{Run: "aws ec2 terminate-instances --dry-run --instance-ids i-0abc"},
			{Run: "aws rds delete-db-instance help"},
			{Run: "aws s3 presign s3://b/x"},
		},
		verbs: []verb{
			{prog: "aws", words: "rds delete-*", with: "--skip-final-snapshot", deny: true, fact: "deletes a database and keeps no snapshot."},
			{prog: "aws", words: "s3 rb", fact: "deletes a bucket."},
			{prog: "aws", words: "s3 rm", with: "--recursive", fact: "deletes everything below that place in the bucket."},
			{prog: "aws", words: "s3 rm|mv", fact: "deletes an object of the bucket."},
			{prog: "aws", words: "s3 sync", with: "--delete", fact: "deletes whatever the source does not have."},
			{prog: "aws", words: "* delete-*|terminate-*|purge-*|deregister-*|destroy-*|remove-*|revoke-*|disable-*|detach-*|schedule-key-deletion|reset-*|batch-delete-*|abort-*|cancel-*|reject-*|release-*|disassociate-*", fact: "deletes or cuts off something in the cloud account."},
			{prog: "aws", words: "* stop-*|reboot-*|update-*|put-*|modify-*|change-*|create-*|attach-*|start-*|run-*|set-*|restore-*|publish|invoke|send-*|deploy|authorize-*|associate-*|register-*|enable-*|import-*|execute-*", fact: "changes something in the cloud account."},
			{prog: "gsutil", words: "rm|rb", fact: "deletes objects or a bucket."},
			{prog: "gsutil", words: "rsync", with: "-d", fact: "deletes whatever the source does not have."},
			{prog: "s3cmd|mc|rclone|b2|s5cmd", words: "del|rb|rm|delete|purge|deletefile|sync|delete-file-version", fact: "deletes objects or a bucket."},
			{prog: "s3cmd", words: "* *", with: "--delete-removed", fact: "deletes whatever the source does not have."},
		},
	},
	{
		ID: "gcloud-az-delete", Family: "cloud",
		Title: "deleting in Google Cloud or Azure",
		Safe:  "List or describe it first, and let the person delete.",
		Hits: []Case{
			{Run: "gcloud projects delete my-prod --quiet"},
			{Run: "gcloud --project x sql instances delete main-db -q"},
			{Run: "gcloud compute instances delete vm-1"},
			{Run: "gcloud storage rm -r gs://bucket"},
			{Run: "gcloud run deploy web --source ."},
			{Run: "az group delete --name prod --yes"},
			{Run: "az vm delete -g rg -n vm"},
			{Run: "az storage account purge"},
			{Run: "gcloud beta container clusters delete c"},
			{Run: "gcloud app deploy"},
			{Run: "gsutil -m rm -r gs://bucket"},
			{Run: "bq rm -r -f dataset"},
			{Run: "azcopy remove https://x.example.com/y --recursive"},
		},
		Misses: []Case{
			{Run: "gcloud projects list"},
			{Run: "gcloud sql instances describe main-db"},
			{Run: "az group list -o table"},
			{Run: "gcloud auth list"},
			{Run: "az vm show -g rg -n delete"},
			{Run: "gcloud logging read 'delete'"},
			{Run: "gcloud help compute instances delete"},
			{Run: "bq ls"},
		},
		call: gcloudVerb,
		verbs: []verb{
			{prog: "bq", words: "rm", fact: gone},
			{prog: "azcopy", words: "remove|rm|sync", fact: "deletes objects of a storage account."},
			{prog: "azd", words: "down", deny: true, fact: "destroys the application's infrastructure."},
			{prog: "azd", words: "up|deploy|provision", fact: "changes the deployed application."},
			{prog: "firebase", words: "*:delete|firestore:delete|database:remove|hosting:disable|projects:delete|functions:delete", fact: gone},
			{prog: "firebase", words: "deploy", fact: "changes the deployed application."},
		},
	},
	{
		ID: "forge-delete", Family: "cloud",
		Title: "deleting or changing things on the forge",
		Safe:  "Show it first (`gh … view`), and ask the person.",
		Hits: []Case{
			{Run: "gh repo delete owner/repo --yes", Want: hook.Deny},
			{Run: "gh release delete v1.0.0"},
			{Run: "gh api -X DELETE repos/o/r/git/refs/heads/main"},
			{Run: "gh api repos/o/r --method=DELETE"},
			{Run: "gh repo edit --visibility public"},
			{Run: "gh secret set TOKEN < .env"},
			{Run: "gh pr merge 12 --admin"},
			{Run: "gh secret delete TOKEN"},
			{Run: "gh repo archive owner/repo"},
			{Run: "glab repo delete group/app"},
			{Run: "gh issue delete 3"},
			{Run: "gh workflow disable ci.yml"},
			{Run: "gh api -X PUT repos/o/r/branches/main/protection --input x.json"},
			{Run: "gh pr merge 12 --squash"},
			{Run: "gh run delete 12"},
			{Run: "gh api -X PATCH repos/o/r -f private=false"},
			{Run: "gh api graphql -f query='mutation { deleteRef(input: {refId: \"x\"}) { clientMutationId } }'"},
		},
		Misses: []Case{
			{Run: "gh pr view 12 --json state,title"},
			{Run: "gh pr create --title 'delete old code' --body x"},
			{Run: "gh issue list"},
			{Run: "gh api repos/o/r/pulls"},
			{Run: "gh run watch"},
			{Run: "gh pr checks 12"},
			{Run: "gh pr comment 12 -b 'gh repo delete is dangerous'"},
			{Run: "gh api graphql -f query='query { viewer { login } }'"},
			{Run: "gh repo clone o/r"},
			{Run: "gh issue create -t x -b y"},
			{Run: "gh api -X GET repos/o/r/branches/main/protection"},
		},
		call: ghAPI,
		verbs: []verb{
			{prog: "gh", words: "repo delete", deny: true, fact: "deletes a repository."},
			{prog: "gh", words: "repo archive|rename", fact: "changes the repository for everybody."},
			{prog: "gh", words: "repo edit", with: "--visibility --default-branch --delete-branch-on-merge --accept-visibility-change-consequences", fact: "changes who may see the repository or how it works."},
			{prog: "gh", words: "release|issue|run|cache|gist|label|secret|variable|ssh-key|gpg-key|codespace|project|ruleset|extension|repo delete|remove|delete-asset|deploy-key", fact: gone},
			{prog: "gh", words: "secret|variable set", fact: "changes a secret or variable of the repository."},
			{prog: "gh", words: "workflow disable|enable", fact: "changes which checks run."},
			{prog: "gh", words: "pr merge", fact: "merges into a branch that others build on."},
			{prog: "gh", words: "auth logout", fact: "removes a login."},
			{prog: "glab", words: "repo|mr|issue|release|label|variable|ssh-key delete|archive", fact: gone},
			{prog: "glab", words: "mr merge|accept", fact: "merges into a branch that others build on."},
		},
	},
	{
		ID: "platform-delete", Family: "cloud",
		Title: "deleting or deploying on a hosting platform",
		Safe:  "Ask the person; show what is deployed first.",
		Hits: []Case{
			{Run: "heroku apps:destroy app --confirm app"},
			{Run: "heroku pg:reset DATABASE_URL"},
			{Run: "flyctl apps destroy app -y"},
			{Run: "fly destroy app"},
			{Run: "vercel remove app --yes"},
			{Run: "vercel --prod"},
			{Run: "doctl compute droplet delete 1 -f"},
			{Run: "netlify sites:delete"},
			{Run: "railway down"},
			{Run: "wrangler delete app"},
			{Run: "wrangler r2 bucket delete b"},
			{Run: "hcloud server delete web"},
			{Run: "linode-cli linodes delete 1"},
			{Run: "netlify deploy --prod"},
			{Run: "fly deploy"},
			{Run: "stripe customers delete cus_1"},
		},
		Misses: []Case{
			{Run: "heroku logs --tail"},
			{Run: "fly status"},
			{Run: "vercel ls"},
			{Run: "wrangler dev"},
			{Run: "doctl compute droplet list"},
			{Run: "netlify build"},
			{Run: "railway logs"},
			{Run: "vercel env pull .env.example"},
		},
		verbs: []verb{
			{prog: "heroku", words: "apps:destroy|destroy|pg:reset|addons:destroy|pipelines:destroy|config:unset|domains:remove|container:rm|ps:scale|redis:reset|git:remote--|pg:credentials:destroy", fact: "destroys an application or its data."},
			{prog: "flyctl", words: "destroy|deploy|scale|suspend", fact: "changes or destroys the deployed application."},
			{prog: "flyctl", words: "apps|app|machine|machines|volumes|volume|postgres|pg|redis|secrets|ips|certs destroy|delete|remove|unset|stop|kill|release|detach", fact: "destroys an application or its data."},
			{prog: "vercel|vc|now", words: "remove|rm|rollback|promote|alias|deploy", fact: "changes or removes what is deployed."},
			{prog: "vercel|vc", words: "env|project|domains|dns|secrets|certs|blob rm|remove|del", fact: "removes settings of what is deployed."},
			{prog: "vercel|vc", with: "--prod --production", fact: "deploys to production."},
			{prog: "netlify|ntl", words: "sites:delete|env:unset|unlink", fact: "removes a site or its settings."},
			{prog: "netlify|ntl", words: "deploy", with: "--prod -p --production", fact: "deploys to production."},
			{prog: "railway", words: "down|delete|unlink|up|redeploy", fact: "changes or removes what is deployed."},
			{prog: "render", words: "services|deploys delete|create", fact: "changes what is deployed."},
			{prog: "wrangler", words: "delete|deploy|publish|rollback", fact: "changes or removes what is deployed."},
			{prog: "wrangler", words: "… delete|purge|remove", fact: "deletes data or settings of what is deployed."},
			{prog: "doctl", words: "… delete|rm|destroy", fact: gone},
			{prog: "hcloud|linode-cli|vultr-cli|vultr|scw|ovh|oci|ibmcloud|exo|upctl|civo|openstack|nova", words: "… delete|remove|destroy|terminate|rm", fact: gone},
			{prog: "cf", words: "delete|delete-*|purge-*", fact: gone},
			{prog: "stripe", words: "* delete|cancel", fact: gone},
			{prog: "eas", words: "submit|update|delete", fact: "changes what users have installed."},
			{prog: "fastlane", words: "release|deliver|supply|nuke|match", fact: "changes what users have installed."},
			{prog: "kamal|cap|dokku", words: "… remove|deploy|destroy|apps:destroy|rollback", fact: "changes or removes what is deployed."},
			{prog: "consul|vault|nomad", words: "… delete|destroy|purge|system|stop|seal|disable", fact: gone},
		},
	},
	{
		ID: "http-delete", Family: "cloud",
		Title: "an HTTP DELETE to another machine",
		Safe:  "Read the resource first with GET, and ask the person.",
		Hits: []Case{
			{Run: "curl -X DELETE https://api.example.com/v1/projects/42"},
			{Run: "curl -XDELETE https://api.example.com/x"},
			{Run: "curl --request=delete https://api.example.com/x"},
			{Run: "http DELETE https://api.example.com/x"},
			{Run: "wget --method=DELETE https://api.example.com/x"},
			{Run: "curl -sX DELETE \"$API/x\""},
			{Run: "python3 -c \"import requests; requests.delete('https://api.example.com/1')\""},
		},
		Misses: []Case{
			{Run: "curl -X DELETE localhost:3000/api/items/1"},
			{Run: "curl -X DELETE http://127.0.0.1:9200/test-index"},
			{Run: "curl https://api.example.com/delete"},
			{Run: "curl -X POST https://api.example.com/x -d '{\"method\":\"DELETE\"}'"},
			{Run: "http GET https://api.example.com/x"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if program, ok := inlineProgram(c); ok {
				if containsAny(program, "requests.delete(", "httpx.delete(", "axios.delete(", "method: 'DELETE'", `method: "DELETE"`, "method:'DELETE'", "Net::HTTP::Delete") && containsAny(program, "http://", "https://") && !containsAny(program, "://localhost", "://127.0.0.1") {
					return ask("deletes something on another machine.")
				}
				return verdict{}
			}
			if !oneOf(c.Name, "curl", "wget", "http", "https", "xh") {
				return verdict{}
			}
			method := ""
			o := shell.Options(c.Args, curlSpec)
			if v, ok := o.Value("X", "request", "method"); ok {
				method = v.Text
			}
			if oneOf(c.Name, "http", "https", "xh") {
				for _, w := range c.Args {
					if !strings.HasPrefix(w.Text, "-") {
						method = w.Text
						break
					}
				}
			}
			if !strings.EqualFold(method, "DELETE") || s.localOnly(c) {
				return verdict{}
			}
			return ask("deletes something on another machine.")
		},
	},
}

// localOnly tells that every address of a command is this machine.
func (s *scan) localOnly(c *shell.Command) bool {
	found := false
	for _, a := range c.Args {
		t := strings.ToLower(a.Text)
		t = strings.TrimPrefix(strings.TrimPrefix(t, "http://"), "https://")
		host := t
		if n := strings.IndexAny(t, ":/?"); n >= 0 {
			host = t[:n]
		}
		switch {
		case oneOf(host, "localhost", "127.0.0.1", "0.0.0.0", "host.docker.internal", "[") && (host != "[" || strings.HasPrefix(t, "[::1]")), strings.HasSuffix(host, ".localhost"), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".test"):
			found = true
		case t == ":" || strings.HasPrefix(a.Text, ":") && len(a.Text) > 1 && a.Text[1] >= '0' && a.Text[1] <= '9':
			found = true
		case strings.Contains(a.Text, "://"):
			return false
		}
	}
	return found
}

// dockerBroad finds removals of whatever a list names, and containers that
// reach out of themselves.
func dockerBroad(s *scan, i int) verdict {
	c := &s.cmds[i]
	if sameAs(c.Name) != "docker" {
		return verdict{}
	}
	args := texts(c.Args)
	if len(args) == 0 {
		return verdict{}
	}
	sub := args[0]
	if oneOf(sub, "container", "image") && len(args) > 1 {
		sub = args[1]
	}
	if oneOf(sub, "rm", "kill", "rmi", "stop") {
		for _, a := range c.Args {
			for _, j := range s.origins(a) {
				if sameAs(s.cmds[j].Name) == "docker" && !hasArgContaining(&s.cmds[j], "name=") && !hasArgContaining(&s.cmds[j], "label=") && !hasArgContaining(&s.cmds[j], "dangling") && !hasArgContaining(&s.cmds[j], "ancestor=") && !hasWord(s.cmds[j].Args, "compose") {
					return ask("removes every container or image on this machine, other projects' too.")
				}
			}
		}
	}
	if sub != "run" && sub != "create" {
		return verdict{}
	}
	return s.reachesOut(i, args)
}

// reachesOut judges docker run: what is mounted, and what the command inside
// deletes there.
func (s *scan) reachesOut(i int, args []string) verdict {
	var mounts [][2]string
	privileged := false
	for n, a := range args {
		value := ""
		if n+1 < len(args) {
			value = args[n+1]
		}
		switch {
		case a == "-v" || a == "--volume" || a == "--mount":
		case strings.HasPrefix(a, "--volume="), strings.HasPrefix(a, "--mount="):
			_, value, _ = strings.Cut(a, "=")
		case a == "--privileged" || a == "--pid=host" && hasAllWords(args, "--privileged"):
			privileged = true
			continue
		default:
			continue
		}
		if strings.Contains(value, "source=") || strings.Contains(value, "src=") {
			value = strings.NewReplacer("type=bind,", "", "source=", "", "src=", "", ",target=", ":", ",dst=", ":", ",destination=", ":").Replace(value)
		}
		from, to, _ := strings.Cut(value, ":")
		to, _, _ = strings.Cut(to, ":")
		if from != "" && to != "" && strings.ContainsAny(from[:1], "/.~"+unknown) {
			mounts = append(mounts, [2]string{from, to})
		}
	}
	worst := verdict{}
	for _, m := range mounts {
		if m[0] == "/" || m[0] == "/etc" || m[0] == "/root" {
			worst = worst.or(ask("gives a container the whole machine."))
		}
	}
	if privileged {
		worst = worst.or(ask("starts a container that can do everything on this machine."))
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op != shell.Delete || !s.carriedBy(e.Command, i) {
			continue
		}
		for _, m := range mounts {
			if within(e.Path.Text, m[1]) {
				inside := strings.TrimPrefix(e.Path.Text, m[1])
				worst = worst.or(s.lossAt(i, strings.TrimRight(s.abs(i, m[0]), "/")+inside, true).verdict)
			}
		}
	}
	return worst
}

// gcloudVerb finds the verb of tools whose words differ in number: the last
// words of "gcloud compute instances delete NAME".
func gcloudVerb(s *scan, i int) verdict {
	c := &s.cmds[i]
	if !oneOf(c.Name, "gcloud", "az", "gsutil") {
		return verdict{}
	}
	_, words, opts := s.operands(i)
	if harmless(opts, words) {
		return verdict{}
	}
	for n, w := range words {
		if n > 5 {
			break
		}
		switch w {
		case "list", "show", "describe", "read", "get", "get-value", "ls", "info", "login", "auth", "config", "help", "cat", "print-access-token", "logs", "tail":
			return verdict{}
		case "delete", "purge", "destroy", "rm", "rb", "remove", "terminate", "deallocate", "undelete", "detach", "disable", "reset", "clear":
			return ask("deletes or cuts off something in the cloud account.")
		case "deploy", "create", "update", "apply", "stop", "start", "restart", "submit", "import", "promote-replica", "failover", "add-iam-policy-binding", "set-iam-policy", "up":
			return ask("changes something in the cloud account.")
		}
	}
	return verdict{}
}

func ghAPI(s *scan, i int) verdict {
	c := &s.cmds[i]
	if !oneOf(c.Name, "gh", "glab") || len(c.Args) == 0 || c.Args[0].Text != "api" {
		return verdict{}
	}
	o := shell.Options(c.Args[1:], shell.OptSpec{Short: "X:H:f:F:q:t:p:i", Long: "method= header= field= raw-field= jq= template= input= paginate hostname= cache= preview= include silent slurp"})
	method, ok := o.Value("X", "method")
	target := ""
	if len(o.Rest) > 0 {
		target = o.Rest[0].Text
	}
	if target == "graphql" {
		for _, f := range o.Values("f", "F", "field", "raw-field") {
			if strings.Contains(f.Text, "mutation") {
				return ask("changes something on the forge.")
			}
		}
		return verdict{}
	}
	switch m := strings.ToUpper(method.Text); {
	case !ok:
		return verdict{}
	case m == "DELETE":
		return ask("deletes something on the forge.")
	case (m == "PATCH" || m == "PUT") && strings.HasPrefix(strings.Trim(target, "/"), "repos/") && strings.Count(strings.Trim(target, "/"), "/") == 2:
		return ask("changes the repository for everybody.")
	case (m == "PUT" || m == "PATCH" || m == "POST") && containsAny(target, "protection", "rulesets", "collaborators", "/merge", "/hooks", "secrets", "/git/refs", "transfer", "permissions"):
		return ask("changes rights or protected things on the forge.")
	}
	return verdict{}
}
