import java.util.*;
public class TakeStones {
    static int n; static boolean[] free; static int visited, evaluated, maxDepth, internal; static int best;
    static boolean prime(int x){ if(x<2) return false; for(int i=2;i*i<=x;i++) if(x%i==0) return false; return true; }
    static List<Integer> moves(int last){ List<Integer> r=new ArrayList<>();
        for(int i=1;i<=n;i++) if(free[i]) { if(last==0){ if(i%2==1 && 2*i<n) r.add(i);} else if(i%last==0||last%i==0) r.add(i);} return r; }
    static double eval(int last, boolean max, List<Integer> m){
        if(m.isEmpty()) return max?-1.0:1.0;
        double v; if(free[1]) return 0.0;
        int c=0; double w;
        if(last==1){ c=m.size(); w=0.5; }
        else if(prime(last)){ for(int i:m) if(i%last==0) c++; w=0.7; }
        else { int p=0; for(int i=2;i<=last;i++) if(last%i==0&&prime(i)) p=i; for(int i:m) if(i%p==0) c++; w=0.6; }
        v=c%2==1?w:-w; return max?v:-v; }
    static double search(int last,boolean max,int d,int limit,double a,double b){
        visited++; maxDepth=Math.max(maxDepth,d);
        List<Integer> m=moves(last);
        if(m.isEmpty()||(limit>0&&d==limit)){ evaluated++; return eval(last,max,m); }
        double v=max?Double.NEGATIVE_INFINITY:Double.POSITIVE_INFINITY;
        for(int s:m){ free[s]=false; double x=search(s,!max,d+1,limit,a,b); free[s]=true;
            if(max? x>v : x<v){ v=x; if(d==0) best=s; }
            if(max){ if(v>=b) return v; a=Math.max(a,v);} else { if(v<=a) return v; b=Math.min(b,v);} }
        return v; }
    public static void main(String[] args){
        n=Integer.parseInt(args[0]); int k=Integer.parseInt(args[1]); free=new boolean[n+1]; Arrays.fill(free,true); free[0]=false;
        int last=0; for(int i=0;i<k;i++){ last=Integer.parseInt(args[2+i]); free[last]=false; }
        int depth=Integer.parseInt(args[2+k]);
        double v=search(last,k%2==0,0,depth,Double.NEGATIVE_INFINITY,Double.POSITIVE_INFINITY);
        System.out.println("Move: "+best);
        System.out.println("Value: "+(v==0?0.0:v));
        System.out.println("Number of Nodes Visited: "+visited);
        System.out.println("Number of Nodes Evaluated: "+evaluated);
        System.out.println("Max Depth Reached: "+maxDepth);
        System.out.println("Avg Effective Branching Factor: "+String.format(Locale.ROOT,"%.1f",(visited-1.0)/(visited-evaluated)));
    }
}
